import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { addDefinitions, type WrittenDefinition } from "../../../config/edit/add-definitions.ts";
import { checkFile } from "../../../config/parse/check-file.ts";
import { parseText } from "../../../config/parse/parse.ts";
import { ConfigError } from "../../../config.ts";
import { TenterhookError } from "../../../core/base/errors.ts";
import { isRecord, sameJson } from "../../../core/base/json.ts";
import { writeAtomically } from "../../../node/files/atomic-write.ts";
import { makeFolders } from "../../../node/files/make-folders.ts";
import { bridgeOf } from "../../bridges/agents.ts";
import { chosenSettings, edited, projectRoot, readSettings } from "../../bridges/settings-files.ts";
import { confirm } from "../../command-line/ask-line.ts";
import { type CommandRun, flagOption, type Invocation } from "../../command-line/command.ts";
import { unifiedDiff } from "../../command-line/screen/diff.ts";
import { counted, hanging, harmless, shortPath } from "../../command-line/screen/text.ts";
import { scopeFile } from "../../configured-hooks/scope-files.ts";

/** `tenterhook import`. */
export const run: CommandRun = async (invocation) => {
  const { screen, json, names, cwd, environment } = invocation;
  const bridge = await bridgeOf(names[0] ?? "");
  const root = await projectRoot(invocation);
  const settings = chosenSettings(bridge, root, invocation);
  if (settings.text === undefined)
    throw new TenterhookError("settings_unreadable", `There is no file ${settings.file}.`, {
      hint: "Name another with --scope or --settings.",
    });
  // A user's own hooks stay the user's; only the project's hooks become everybody's.
  const file = scopeFile(settings.scope ?? "project", root, environment);
  const before = readSettings(file) ?? "";
  const imported = edited(settings, bridge.importHooks);
  const known = writtenIn(file, before);
  const fresh = imported.definitions.filter(
    (definition) => !known.some((one) => isSameHook(one, definition)),
  );
  const again = imported.definitions.length - fresh.length;
  const taken = new Set(known.map(({ name }) => String(name)));
  const renamed = fresh.map((definition) => withFreeName(definition, taken));
  const { good, bad } = await checked(renamed, invocation);
  const report = [
    ...imported.report,
    ...bad,
    ...(again === 0 ? [] : [`${counted(again, "hook")} in ${shortPath(file, cwd)} already; skipped.`]),
  ];
  const after = good.length === 0 ? before : addDefinitions(file, before, good);
  const dry = flagOption(invocation, "dryRun");
  if (!json) {
    for (const { name } of good) screen.print(`${screen.paint.green("+")} ${harmless(String(name))}`);
    for (const line of report)
      screen.print(screen.paint.yellow(hanging("!", harmless(line), screen.width, 2)));
    if (good.length === 0) screen.print(`Found nothing to import in ${shortPath(settings.file, cwd)}.`);
    else if (dry) screen.print("", ...unifiedDiff(before, after, [file, file]));
  }
  const written = good.length > 0 && !dry && (await mayWrite(good.length, file, invocation));
  if (written) await writeChecked(file, before, after, invocation);
  if (json) screen.json({ from: settings.file, file, written, definitions: good, report });
  else if (written)
    screen.print(
      "",
      screen.paint.green(`${counted(good.length, "hook")} written to ${shortPath(file, cwd)}.`),
      `They are still in ${shortPath(settings.file, cwd)} too: remove them there, or they run twice.`,
      "  tenterhook trust            look at them, and trust them",
      `  tenterhook install ${bridge.adapter.name}   have ${bridge.title} ask us`,
    );
  return written || dry || good.length === 0 ? undefined : 1;
};

async function mayWrite(number: number, file: string, invocation: Invocation): Promise<boolean> {
  const { screen, json, cwd } = invocation;
  if (flagOption(invocation, "yes")) return true;
  const what = `Write ${counted(number, "hook")} to ${shortPath(file, cwd)}?`;
  if (!json && screen.interactive) return confirm(what, invocation);
  throw new TenterhookError("confirmation_needed", `${what} Nobody can be asked.`);
}

/** Writes the file, and restores it when it does not load. */
async function writeChecked(
  file: string,
  before: string,
  after: string,
  { cwd, signal }: Invocation,
): Promise<void> {
  const isNew = !existsSync(file);
  makeFolders(dirname(file), 0o777);
  await writeAtomically(file, after, { keep: true, mode: 0o644 });
  const { problems } = await checkFile(file, cwd, signal);
  if (problems.length === 0) return;
  if (isNew) rmSync(file, { force: true });
  else await writeAtomically(file, before, { keep: true });
  throw new ConfigError(problems);
}

/** The definitions that load, and why the others do not. */
async function checked(
  definitions: readonly WrittenDefinition[],
  { signal }: Invocation,
): Promise<{ readonly good: readonly WrittenDefinition[]; readonly bad: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-import-"));
  const good: WrittenDefinition[] = [];
  const bad: string[] = [];
  try {
    for (const definition of definitions) {
      const file = join(folder, "hooks.json");
      await writeAtomically(file, JSON.stringify({ hooks: { definitions: [definition] } }));
      const { problems } = await checkFile(file, folder, signal);
      if (problems.length === 0) good.push(definition);
      else bad.push(`${definition.name} was left out: ${problems.map(({ message }) => message).join(" ")}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { good, bad };
}

function withFreeName(definition: WrittenDefinition, taken: Set<string>): WrittenDefinition {
  const base = String(definition.name);
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  taken.add(name);
  return { ...definition, name };
}

/** Keys that people change after an import; it is still the same hook. */
const MAY_DIFFER: readonly string[] = ["name", "description", "timeout", "on_failure", "enabled"];

/** @throws ConfigError `config_syntax`. */
function writtenIn(file: string, text: string): readonly WrittenDefinition[] {
  const { value } = parseText(file, text);
  const hooks = isRecord(value) ? value.hooks : undefined;
  return isRecord(hooks) && Array.isArray(hooks.definitions) ? hooks.definitions.filter(isRecord) : [];
}

/** True when two definitions do the same on the same events, whatever their names. */
function isSameHook(one: WrittenDefinition, other: WrittenDefinition): boolean {
  return sameJson(whatItDoes(one), whatItDoes(other));
}

function whatItDoes(definition: WrittenDefinition): unknown {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => !MAY_DIFFER.includes(key)));
}
