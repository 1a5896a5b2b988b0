import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { didYouMean } from "../../core/base/suggest.ts";
import type { Pack } from "../../rules/packs/pack.ts";
import { PACKS } from "../../rules/packs/packs.ts";
import { FORMATS } from "../parse/parse.ts";
import type { Place } from "../parse/problem.ts";
import { isAddress } from "../policy/address.ts";
import { lockedPolicy } from "../policy/lock.ts";
import type { Source } from "./discover.ts";
import { type Findings, kindOf, namesIn, spelledFile } from "./find-files.ts";
import type { LayerEntry } from "./unit.ts";

/** What says that a name is that of a package, whatever it looks like. */
const NPM = "npm:";

export type Used =
  | { readonly pack: Pack; readonly root: string }
  | { readonly source: Source; readonly real: string };

/**
 * Finds what an item of `use` names: a pack that ships, a file (its path starts at the file that names it), a policy that
 * was fetched from its address, or an installed package with a `hooks.yaml` in it, with `npm:` before its name or without.
 * What is not there goes to `problems`.
 */
export async function usedBy(
  name: string,
  source: Source,
  place: Place,
  { problems, inputs }: Findings,
): Promise<Used | undefined> {
  const isNpm = name.startsWith(NPM);
  const pack = PACKS.get(name);
  if (pack !== undefined) return { pack, root: source.root };
  const tell = (message: string): undefined => {
    problems.push({ code: "config_invalid", ...place, message });
  };
  if (isAddress(name)) {
    const found = lockedPolicy(name, source.file, inputs);
    if ("problem" in found) return tell(found.problem);
    return (
      (await hooksIn(found.folder, source, { problems, inputs, warnings: [] })) ??
      tell(`The policy ${name} has no hooks.yaml.`)
    );
  }
  if (!isNpm && isFile(name)) {
    const file = resolve(dirname(source.file), name);
    inputs.see("file", file);
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined) return tell(`There is no file ${file}, which hooks.use names.`);
    return { source: { ...source, file }, real };
  }
  const found = await installedPackage(isNpm ? name.slice(NPM.length) : name, source, {
    problems,
    inputs,
    warnings: [],
  });
  if (found !== undefined) return found;
  if (isNpm)
    return tell(
      `The package ${JSON.stringify(name.slice(NPM.length))} is not installed here, or has no hooks.yaml. Install it with npm.`,
    );
  return name.includes("/")
    ? tell(
        `The package ${JSON.stringify(name)} is not installed, or has no hooks.yaml. A file is named with ./ before it.`,
      )
    : tell(
        `There is no pack ${JSON.stringify(name)}, and no installed package with a hooks.yaml has that name.${didYouMean(name, PACKS.keys())}`,
      );
}

/** The folders that `use` names are looked at before anybody trusts them. */
const MOST_ENTRIES = 500;

/**
 * The names that an item of `use` stands for: a folder stands for the hooks files in it, and for the `hooks.yaml` of
 * each folder in it. Anything else stands for itself.
 */
export async function namesOf(
  name: string,
  source: Source,
  place: Place,
  findings: Findings,
): Promise<{ readonly names: readonly string[]; readonly folder?: string }> {
  const folder = resolve(dirname(source.file), name);
  if (!isFile(name) || (await kindOf(folder)) !== "folder") return { names: [name] };
  const found: string[] = [];
  const tell = (what: string): void => {
    const message = `The folder ${folder}, which hooks.use names, has ${what}.`;
    findings.problems.push({ code: "config_invalid", ...place, message });
  };
  const entries = (await namesIn(folder, findings)).filter((entry) => !entry.startsWith("."));
  if (entries.length > MOST_ENTRIES) tell(`more than ${MOST_ENTRIES} files and folders in it`);
  for (const entry of entries.slice(0, MOST_ENTRIES)) {
    const path = join(folder, entry);
    if ((await kindOf(path)) === "folder") {
      const file = spelledFile(path, await namesIn(path, findings), "hooks", findings);
      if (file !== undefined) found.push(`${name}/${entry}/${basename(file)}`);
    } else if (hasFormat(entry)) found.push(`${name}/${entry}`);
  }
  if (found.length === 0) tell("no hooks files");
  return { names: found, folder };
}

/** The hooks of a pack, placed where the pack is named. */
export function packEntries({ name, definitions }: Pack, place: Place, root: string): readonly LayerEntry[] {
  return definitions.map(({ matcher, rows: _, ...rest }) => ({
    definition: { ...rest, matcher: { events: [...matcher.events] } },
    place,
    root,
    pack: name,
  }));
}

function isFile(name: string): boolean {
  return isAbsolute(name) || /^\.\.?[\\/]/.test(name) || hasFormat(name);
}

function hasFormat(name: string): boolean {
  return [...FORMATS.keys()].some((suffix) => name.endsWith(suffix));
}

async function installedPackage(name: string, source: Source, findings: Findings): Promise<Used | undefined> {
  if (!/^(@[\w.-]+\/)?[\w-][\w.-]*$/.test(name)) return undefined;
  for (let folder = dirname(source.file); ; folder = dirname(folder)) {
    const found = await hooksIn(join(folder, "node_modules", name), source, findings);
    if (found !== undefined) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The hooks file of a package or a policy, whose scripts start in its own folder. */
async function hooksIn(root: string, source: Source, findings: Findings): Promise<Used | undefined> {
  const file = spelledFile(root, await namesIn(root, findings), "hooks", findings);
  if (file === undefined) return undefined;
  return { source: { ...source, file, root }, real: await realpath(file).catch(() => file) };
}
