import { isRecord } from "../../core/base/json.ts";
import { plainName } from "../../core/match/tool-inputs.ts";
import { canonicalToolName, TOOL_NAMES } from "../../core/match/tool-names.ts";
import { shellWord } from "../../shared/shell-word.ts";
import { type FieldPath, readPath, withPath } from "./field-path.ts";
import { type JudgedEvent, type RuleEvent, rememberedFor } from "./judged-event.ts";

/** The fields of a tool's input that hold shell text, by the agents' names for them. */
const SHELL_FIELDS: ReadonlySet<string> = new Set([
  "command",
  "cmd",
  "commandline",
  "clicommand",
  "shellcommand",
  "argv",
]);
/** A field with a list of lines, unlike `argv`, which is one command in words. */
const LINES_FIELD = "commands";
/** The words after the program that `command` names. */
const ARGUMENT_FIELDS: ReadonlySet<string> = new Set(["args", "arguments"]);
const FOLDER_FIELDS: ReadonlySet<string> = new Set([
  "workdir",
  "cwd",
  "directory",
  "dirpath",
  "workingdirectory",
  "workingdir",
]);

/** True for a field that holds shell text, by any agent's name for it. */
export function isShellField(name: string | number | undefined): boolean {
  return typeof name === "string" && SHELL_FIELDS.has(plainName(name));
}

const joinedTexts = rememberedFor<string | undefined>();

/** All shell text of the call, one field a line, or `undefined` when it has none. */
export function shellTextOf(subject: JudgedEvent): string | undefined {
  return joinedTexts(subject, "", () => {
    const texts = shellTextsOf(subject);
    return texts.length === 0 ? undefined : texts.join("\n");
  });
}

/** The shell text of a call, field by field. */
export interface ShellTexts {
  /** Each text once; an empty one is left out when there are others. */
  readonly texts: readonly string[];
  /** The call is one of a shell, but some of its shell text can't be read: what it runs can't be known. */
  readonly unreadable: boolean;
}

/** Reads all shell text: nobody but the agent knows which of several fields it runs (`command`, `cmd`). */
export function readShell(event: RuleEvent): ShellTexts {
  const fields = shellFieldsOf(event);
  if (fields.length === 0) {
    const input = readPath(event, ["tool_input"]);
    return { texts: [], unreadable: (input ?? undefined) !== undefined && toolOf(event) === "Bash" };
  }
  const read = fields.map((field) => shellJoined(shellValue(event, field)));
  const texts = [...new Set(read.flatMap((text) => text ?? []))];
  return {
    texts: texts.length > 1 ? texts.filter((text) => text !== "") : texts,
    unreadable: read.includes(undefined),
  };
}

/** The shell texts of the call, as {@link readShell} reads them. */
export function shellTextsOf({ event }: JudgedEvent): readonly string[] {
  return readShell(event).texts;
}

/** The folders a call of a shell says it runs in, as written; none means the event's own. */
export function shellFoldersOf({ event }: JudgedEvent): readonly string[] {
  const input = readPath(event, ["tool_input"]);
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    typeof value === "string" && value !== "" && FOLDER_FIELDS.has(plainName(name)) ? [value] : [],
  );
}

/** Our name of the tool an event is about; of an MCP tool, our name of what follows the server. */
export function toolOf(event: RuleEvent): string | undefined {
  const name = ownToolName(event);
  return name === undefined ? undefined : canonicalToolName(name);
}

/** The agent's name of that tool; of an MCP tool, what follows the server. */
export function ownToolName(event: RuleEvent): string | undefined {
  const name = readPath(event, ["tool_name"]) ?? readPath(event, ["tool"]);
  if (typeof name !== "string") return undefined;
  return name.startsWith("mcp__") ? name.slice(name.lastIndexOf("__") + 2) : name;
}

/** True for a tool of the table, so that what it does is known. */
export function isKnownTool(tool: string): boolean {
  return Object.hasOwn(TOOL_NAMES, tool);
}

/** Where the event has shell text, readable or not. */
export function shellFieldsOf(event: RuleEvent): readonly FieldPath[] {
  const tool = toolOf(event);
  if (tool !== undefined && tool !== "Bash" && isKnownTool(tool)) return [];
  const input = readPath(event, ["tool_input"]);
  if (tool === "Bash" && (typeof input === "string" || Array.isArray(input))) return [["tool_input"]];
  const from = input === undefined ? event : input;
  if (typeof from !== "object" || from === null) return [];
  return Object.keys(from).flatMap((name) => {
    const value = readPath(from, [name]) ?? undefined;
    const field = input === undefined ? [name] : ["tool_input", name];
    if (value === undefined) return [];
    if (isShellField(name)) return [field];
    if (plainName(name) !== LINES_FIELD) return [];
    return tool === "Bash"
      ? lineFields(value, field)
      : lineFields(value, field).filter((path) => isLine(event, path));
  });
}

/** Where a list of lines has them: each is a text, or an object with a shell field. */
function lineFields(value: unknown, field: FieldPath): readonly FieldPath[] {
  if (!Array.isArray(value)) return [field];
  return value.flatMap((item: unknown, at) => {
    const names = isRecord(item) ? Object.keys(item).filter(isShellField) : [];
    return names.length === 0 ? [[...field, at]] : names.map((name) => [...field, at, name]);
  });
}

/** False for `commands` that are not lines: the buttons of a page, the scripts of a package. */
function isLine(event: RuleEvent, field: FieldPath): boolean {
  const value = readPath(event, field);
  return isShellField(field.at(-1)) || typeof (Array.isArray(value) ? value[0] : value) === "string";
}

/** The value of a field. A command in an input that gives its arguments in a field of their own has them behind it. */
export function shellValue(event: RuleEvent, field: FieldPath): unknown {
  const value = readPath(event, field);
  if (typeof value !== "string" || !isShellField(field.at(-1))) return value;
  const input = readPath(event, field.slice(0, -1));
  const given = argumentFields(input).map((name) => readPath(input, [name]));
  if (given.length === 0) return value;
  const words = given.map((list) => shellJoined(list));
  // Arguments that can't be read make the whole unreadable.
  return words.includes(undefined) ? [value, given] : [value, ...words].join(" ").trimEnd();
}

function argumentFields(input: unknown): readonly string[] {
  if (!isRecord(input)) return [];
  return Object.keys(input).filter(
    (name) =>
      ARGUMENT_FIELDS.has(plainName(name)) && (Array.isArray(input[name]) || typeof input[name] === "string"),
  );
}

/** The event with one shell text in every field that has one, and nothing behind it. */
export function withShellText(event: RuleEvent, text: string): unknown {
  let changed: unknown = event;
  for (const field of shellFieldsOf(event)) {
    const folder = field.slice(0, -1);
    const input = readPath(event, folder);
    for (const name of argumentFields(input)) changed = withPath(changed, [...folder, name], []);
    changed = withPath(changed, field, text);
  }
  return changed;
}

/** A value as shell text: a text is itself, a list of arguments is quoted so that a shell would split it the same. */
export function shellJoined(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  const words: string[] = [];
  for (const item of value) {
    if (typeof item !== "string" && typeof item !== "number" && typeof item !== "boolean") return undefined;
    words.push(shellWord(String(item)));
  }
  return words.join(" ");
}
