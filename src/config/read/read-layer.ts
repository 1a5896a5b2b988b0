import { realpath } from "node:fs/promises";
import { errorMessage } from "../../core/base/error-text.ts";
import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import { issuesIn } from "../../core/base/schemas.ts";
import { isPersistent } from "../../core/registration/handler-types.ts";
import { checkPermissionRule } from "../../rules/permissions/parse-rule.ts";
import { notifyIssues } from "../../shared/monitor/channels.ts";
import { triggerIssues } from "../../shared/monitor/trigger-settings.ts";
import type { Source } from "../find/discover.ts";
import type { Findings } from "../find/find-files.ts";
import type { Layer } from "../find/unit.ts";
import { namesOf, packEntries, type Used, usedBy } from "../find/use.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Inspect } from "../parse/inspect.ts";
import { hookLabel, issueProblems, problemAt } from "../parse/issues.ts";
import { type ParsedFile, positionOf, type ValuePath } from "../parse/located.ts";
import { parseText } from "../parse/parse.ts";
import { type Place, type Problem, problemsOf } from "../parse/problem.ts";
import { type ReadDefinition, readDefinitions } from "../parse/read-definitions.ts";
import { readConfigFile } from "../parse/read-file.ts";
import type { Definition } from "../schema/definition.ts";
import { FILE, type FileContent, isFileContent } from "../schema/file.ts";
import { offEntry, offProblem } from "../schema/off-entry.ts";
import { checkDefinition, ExampleBudget, timeoutWarning, tooManyExamples } from "./check-definition.ts";

type Mode = "enforce" | "shadow";

export interface Reading extends Findings {
  /** The files read so far by their real paths, each with the mode in which it is used. */
  readonly used: Map<string, Mode>;
  readonly examples: ExampleBudget;
  readonly packs: Map<string, Mode>;
  readonly blank: string[];
  readonly signal?: AbortSignal;
  /** What the first file is about to say, instead of what it says. */
  readonly text?: string;
}

export function newReading(
  inputs: Inputs,
  signal: AbortSignal | undefined,
  inspect: Inspect | undefined,
): Reading {
  return {
    problems: [],
    warnings: [],
    inputs,
    blank: [],
    packs: new Map(),
    used: new Map(),
    examples: new ExampleBudget(),
    ...withoutUndefined({ signal, inspect }),
  };
}

const MOST_FILES = 100;

/** Reads a file into the layer of its scope, after the files it uses. */
export async function readLayer(
  source: Source,
  layer: Layer,
  reading: Reading,
  chain: readonly string[] = [],
  isUsedInShadow = false,
): Promise<void> {
  const { problems } = reading;
  let parsed: ParsedFile;
  const { value } = reading.inputs.see("file", source.file);
  try {
    parsed =
      reading.text !== undefined && chain.length === 0
        ? parseText(source.file, reading.text)
        : await readConfigFile(source.file, reading.signal, value);
  } catch (error) {
    problems.push(...problemsOf(error));
    return;
  }
  // A file with nothing in it, or with comments alone, is no mistake by itself; it may be one that is being written.
  if (isBlank(parsed)) {
    reading.blank.push(source.file);
    const message = "The file is empty, so it sets nothing. tenterhook init writes a first configuration.";
    if (reading.inspect !== undefined)
      reading.warnings.push({ file: source.file, line: 1, column: 1, message });
  }
  const content = parsed.value ?? {};
  if (!isFileContent(content)) {
    problems.push(...issueProblems(issuesIn(content, FILE), parsed, []));
    const list = isRecord(content) && isRecord(content.hooks) ? content.hooks.definitions : undefined;
    if (Array.isArray(list)) await checkedDefinitions(list, source, parsed, reading);
    // What is wrong with one section hides nothing of another.
    const sound = isRecord(content)
      ? Object.entries(content).filter(([key, value]) => isFileContent({ [key]: value }))
      : [];
    const rest: unknown = Object.fromEntries(sound);
    if (isFileContent(rest)) checkSections(rest, parsed, problems);
    return;
  }
  // What is about to be written may not be there.
  const real = await realpath(source.file).catch(() => source.file);
  reading.used.set(real, isUsedInShadow ? "shadow" : "enforce");
  const around = [...chain, real];
  const isShadow = isUsedInShadow || content.hooks?.mode === "shadow";
  const items: (readonly [name: string, place: Place, isShadow: boolean])[] = [];
  for (const [index, item] of (content.hooks?.use ?? []).entries()) {
    const { pack, mode } = typeof item === "string" ? { pack: item } : { mode: undefined, ...item };
    const place = placeAt(parsed, ["hooks", "use", index]);
    const { names, folder } = await namesOf(pack, source, place, reading);
    if (folder !== undefined) layer.folders.push(folder);
    for (const name of names) items.push([name, place, isShadow || mode === "shadow"]);
  }
  for (const [name, place, inShadow] of items) {
    const used = await usedBy(name, source, place, reading);
    const file = used === undefined || "pack" in used ? {} : { file: used.source.file };
    layer.uses.push({ name, place, ...file });
    await include(used, place, layer, reading, around, inShadow);
  }
  layer.files.push({ ...source, value });
  checkSections(content, parsed, problems);
  const long = timeoutWarning(content.hooks?.timeout);
  if (long !== undefined)
    reading.warnings.push({ ...placeAt(parsed, ["hooks", "timeout"]), message: `hooks: ${long}` });
  addSettings(content, source, parsed, layer, reading);
  const definitions = await checkedDefinitions(content.hooks?.definitions ?? [], source, parsed, reading);
  for (const { definition, path } of definitions)
    layer.entries.push({
      definition: isShadow ? shadowOf(definition) : definition,
      place: placeAt(parsed, path),
      root: source.root,
    });
}

/** A hook that only shows what it would do. */
function shadowOf(definition: Definition): Definition {
  return { ...definition, ...(isPersistent(definition) ? { persistent: true } : {}), mode: "shadow" };
}

function checkSections(content: FileContent, parsed: ParsedFile, problems: Problem[]): void {
  checkPermissions(content, parsed, problems);
  const { monitor = {} } = content;
  const unfit = [...triggerIssues(monitor), ...notifyIssues(monitor.notify)];
  problems.push(...issueProblems(unfit, parsed, ["monitor"]));
}

function checkPermissions({ permissions = {} }: FileContent, parsed: ParsedFile, problems: Problem[]): void {
  for (const list of ["deny", "ask", "allow"] as const)
    for (const [index, rule] of (permissions[list] ?? []).entries()) {
      try {
        checkPermissionRule(rule);
      } catch (error) {
        problems.push(problemAt(parsed, ["permissions", list, index], errorMessage(error)));
      }
    }
}

/** The valid definitions of a file; problems of the others are recorded. */
async function checkedDefinitions(
  list: readonly unknown[],
  { root }: Source,
  parsed: ParsedFile,
  reading: Reading,
): Promise<readonly ReadDefinition[]> {
  const read = readDefinitions(list, parsed, reading.problems);
  for (const { definition, path, position, isPart } of read) {
    const found = reading.problems.length;
    const { inspect } = reading;
    const findings: Reading =
      isPart === undefined || inspect === undefined
        ? reading
        : { ...reading, inspect: (what) => inspect({ ...what, isPart }) };
    if (reading.examples.affords(definition)) await checkDefinition(definition, path, parsed, root, findings);
    else reading.problems.push(problemAt(parsed, path, `${hookLabel(parsed, path)}: ${tooManyExamples()}`));
    if (isPart !== true) continue;
    // A problem of the whole hook may only exist because parts of it were left out.
    const more = reading.problems.splice(found);
    reading.problems.push(
      ...more.filter((one) => one.line !== position.line || one.column !== position.column),
    );
  }
  return read.filter(({ isPart }) => isPart !== true);
}

async function include(
  used: Used | undefined,
  place: Place,
  layer: Layer,
  reading: Reading,
  around: readonly string[],
  isShadow: boolean,
): Promise<void> {
  if (used === undefined) return;
  const before = "pack" in used ? reading.packs.get(used.pack.name) : reading.used.get(used.real);
  if (before !== undefined && (before === "shadow") !== isShadow)
    reading.warnings.push({
      ...place,
      message: `${"pack" in used ? used.pack.name : used.real} is used twice, once with mode: shadow: it is enforced. Remove one of the two.`,
    });
  // What one file enforces is enforced, whatever another says.
  const isRead = before === "enforce" || (before === "shadow" && isShadow);
  if ("pack" in used) {
    if (isRead) return;
    const { pack, root } = used;
    leaveOut(layer.entries, (entry) => entry.pack === pack.name);
    for (const entry of packEntries(pack, place, root))
      layer.entries.push(isShadow ? { ...entry, definition: shadowOf(entry.definition) } : entry);
    reading.packs.set(pack.name, isShadow ? "shadow" : "enforce");
    return;
  }
  if (around.includes(used.real)) {
    const circle = [...around.slice(around.indexOf(used.real)), used.real];
    reading.problems.push({
      code: "config_invalid",
      ...place,
      message: `The file uses itself: ${circle.join(" → ")}. Remove one of these from use.`,
    });
    return;
  }
  // Two files of a unit may use the same third one, by whatever name; it counts once.
  if (isRead) return;
  if (before === "shadow") {
    const { file } = used.source;
    leaveOut(layer.entries, ({ place: { file: from } }) => from === file);
    leaveOut(layer.uses, ({ place: { file: from } }) => from === file);
    leaveOut(layer.files, ({ file: from }) => from === file);
    leaveOut(reading.problems, ({ file: from }) => from === file);
    leaveOut(reading.warnings, ({ file: from }) => from === file);
  } else if (reading.used.size >= MOST_FILES) {
    const message = `More than ${MOST_FILES} files are used here, which is too many.`;
    reading.problems.push({ code: "config_invalid", ...place, message });
    return;
  }
  await readLayer(used.source, layer, reading, around, isShadow);
}

function leaveOut<Item>(list: Item[], isOut: (item: Item) => boolean): void {
  list.splice(0, list.length, ...list.filter((item) => !isOut(item)));
}

function addSettings(
  { hooks = {}, $schema: _, ...sections }: FileContent,
  source: Source,
  parsed: ParsedFile,
  layer: Layer,
  { problems, warnings }: Findings,
): void {
  const { timeout, limits, disabled = [], llm_model: judge, managed_by: manager } = hooks;
  if (manager !== undefined) {
    const place = placeAt(parsed, ["hooks", "managed_by"]);
    if (source.scope === "managed") layer.managers.push({ value: manager, place });
    else warnings.push({ ...place, message: "hooks.managed_by applies in the managed file only." });
  }
  if (timeout !== undefined)
    layer.timeouts.push({ value: timeout, place: placeAt(parsed, ["hooks", "timeout"]) });
  if (limits !== undefined) layer.limits.push({ value: limits, place: placeAt(parsed, ["hooks", "limits"]) });
  for (const [index, text] of disabled.entries()) {
    const path = ["hooks", "disabled", index];
    const { name, until } = offEntry(text);
    const problem = offProblem(text);
    if (problem !== undefined) problems.push(problemAt(parsed, path, problem));
    layer.disabled.push({ value: name, place: placeAt(parsed, path), ...withoutUndefined({ until }) });
  }
  if (judge !== undefined && sections.models?.judge !== undefined && sections.models.judge !== judge) {
    problems.push(
      problemAt(
        parsed,
        ["hooks", "llm_model"],
        `hooks.llm_model is ${JSON.stringify(judge)} and models.judge is ${JSON.stringify(sections.models.judge)}, but they are two spellings of one setting. Keep one of them.`,
      ),
    );
  }
  const all = judge === undefined ? sections : { ...sections, models: { ...sections.models, judge } };
  const names = Object.keys(all);
  const places = names.map((name) => {
    const written = name === "models" && sections.models === undefined ? ["hooks", "llm_model"] : [name];
    return [name, placeAt(parsed, written)];
  });
  if (names.length > 0) layer.sections.push({ source, value: all, places: Object.fromEntries(places) });
}

/** An empty TOML file is the only way to write an empty object there. */
function isBlank({ value, file }: ParsedFile): boolean {
  return value === undefined || value === null || (file.endsWith(".toml") && Object.keys(value).length === 0);
}

function placeAt(parsed: ParsedFile, path: ValuePath): Place {
  return { file: parsed.file, ...positionOf(parsed.located, path) };
}
