import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { didYouMean } from "../../core/base/suggest.ts";
import type { Pack } from "../../rules/packs/pack.ts";
import { PACKS } from "../../rules/packs/packs.ts";
import type { LayerEntry } from "../combine/unit.ts";
import { FORMATS } from "../parse/parse.ts";
import type { Place } from "../parse/problem.ts";
import type { Source } from "./discover.ts";
import { type Findings, namesIn, spelledFile } from "./find-files.ts";

export type Used =
  | { readonly pack: Pack; readonly root: string }
  | { readonly source: Source; readonly real: string };

/**
 * Finds what an item of `use` names: a pack that ships, a file (its path starts at the file that names it), or an
 * installed package with a `hooks.yaml` in it. What is not there goes to `problems`.
 */
export async function usedBy(
  name: string,
  source: Source,
  place: Place,
  { problems, inputs }: Findings,
): Promise<Used | undefined> {
  const pack = PACKS.get(name);
  if (pack !== undefined) return { pack, root: source.root };
  const tell = (message: string): undefined => {
    problems.push({ code: "config_invalid", ...place, message });
  };
  if (isFile(name)) {
    const file = resolve(dirname(source.file), name);
    inputs.see("file", file);
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined) return tell(`There is no file ${file}, which hooks.use names.`);
    return { source: { ...source, file }, real };
  }
  const found = await installedPackage(name, source, { problems, inputs, warnings: [] });
  if (found !== undefined) return found;
  return name.includes("/")
    ? tell(
        `The package ${JSON.stringify(name)} is not installed, or has no hooks.yaml. A file is named with ./ before it.`,
      )
    : tell(
        `There is no pack ${JSON.stringify(name)}, and no installed package with a hooks.yaml has that name.${didYouMean(name, PACKS.keys())}`,
      );
}

/** The hooks of a pack, placed where the pack is named. */
export function packEntries({ name, definitions }: Pack, place: Place, root: string): readonly LayerEntry[] {
  return definitions.map(({ matcher, examples, ...rest }) => ({
    definition: { ...rest, matcher: { events: [...matcher.events] }, examples: [...examples] },
    place,
    root,
    pack: name,
  }));
}

function isFile(name: string): boolean {
  return (
    isAbsolute(name) ||
    /^\.\.?[\\/]/.test(name) ||
    [...FORMATS.keys()].some((suffix) => name.endsWith(suffix))
  );
}

async function installedPackage(name: string, source: Source, findings: Findings): Promise<Used | undefined> {
  if (!/^(@[\w.-]+\/)?[\w-][\w.-]*$/.test(name)) return undefined;
  for (let folder = dirname(source.file); ; folder = dirname(folder)) {
    const root = join(folder, "node_modules", name);
    const file = spelledFile(root, await namesIn(root, findings), "hooks", findings);
    if (file !== undefined)
      return { source: { ...source, file, root }, real: await realpath(file).catch(() => file) };
    if (folder === dirname(folder)) return undefined;
  }
}
