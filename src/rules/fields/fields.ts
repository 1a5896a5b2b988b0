import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { modelOf } from "../../core/match/tool-inputs.ts";
import { toolSpellings } from "../../core/match/tool-names.ts";
import { type FieldPath, parseFieldPath, readPath, textsOf, withPath } from "./field-path.ts";
import type { JudgedEvent, RuleEvent } from "./judged-event.ts";
import { fileFieldOf, filesOf, isPathLike, pathIdentities } from "./paths.ts";
import {
  isShellField,
  shellFieldsOf,
  shellJoined,
  shellTextOf,
  shellTextsOf,
  shellValue,
} from "./shell-text.ts";

/**
 * A field of the event as text operators see it. A field may have several values (the items of a list, a path and the file
 * it links to), each with several spellings (a tool's names, an absolute and a relative path).
 */
export interface Field {
  /** Fields with one key have the same texts. */
  readonly key: string;
  /** A glob on it is one for paths. */
  readonly pathLike: boolean;
  /** It holds, or may hold, the shell text of the call. */
  readonly shellText: boolean;
  /** The value itself, for numbers and presence. */
  value(subject: JudgedEvent): unknown;
  /** True when its texts mean more than themselves (`.e*`), so that no index over them can tell. */
  open?(subject: JudgedEvent): boolean;
  /** Its values, each with its spellings; `strict` leaves out spellings that prove nothing. */
  identities(subject: JudgedEvent, strict: boolean): readonly (readonly string[])[];
}

const MOST_REMEMBERED = 256;
const remembered = new Map<string, Field>();

/** Compiles a field: a short name, or a path into the event. Rules name few fields again and again. */
export function compileField(text: string): Field {
  const known = SHORT_NAMES.get(text) ?? remembered.get(text);
  if (known !== undefined) return known;
  const field = pathField(resolveShortNames(parseFieldPath(text)));
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(text, field);
  return field;
}

/** The same field read as a path: normalised, absolute and relative. For globs on fields that hold paths. */
export function asPath(field: Field): Field {
  if (!field.pathLike || field.key === "path") return field;
  return {
    ...field,
    key: `path of ${field.key}`,
    identities: (subject, strict) =>
      field.identities(subject, strict).flatMap((spellings) => {
        const files = spellings.flatMap((path) => pathIdentities(subject, path));
        return strict ? files : [spellings, ...files];
      }),
  };
}

/**
 * The event with one field replaced, as the action `set` does; `command` and `path` name the fields they were read from.
 *
 * @throws HookFailureError `bad_output` when there is no such place in the event.
 */
export function withField(event: RuleEvent, field: string, value: unknown): RuleEvent {
  let changed: unknown = event;
  for (const target of targetsOf(event, parseFieldPath(field))) changed = withPath(changed, target, value);
  return typeof changed === "object" && changed !== null ? { ...changed } : event;
}

function targetsOf(event: RuleEvent, path: FieldPath): readonly FieldPath[] {
  const [name] = path;
  if (path.length === 1 && name === "command") {
    const fields = shellFieldsOf(event);
    if (fields.length > 0) return fields;
  }
  if (path.length === 1 && name === "path" && !Object.hasOwn(event, "path")) {
    const field = fileFieldOf(event);
    if (field !== undefined) return [field];
    throw new HookFailureError(
      "bad_output",
      "path can't be set: no field of this call holds the path of a file.",
    );
  }
  return [resolveShortNames(path)];
}

function pathField(path: FieldPath): Field {
  const [root, second] = path;
  const last = path.at(-1);
  const holdsShell =
    (root === "tool_input" && (second === undefined || isShellField(second))) || root === "native";
  const joins = isShellField(last);
  return {
    key: path.join("\u0000"),
    pathLike: isPathLike(typeof last === "number" ? path.at(-2) : last),
    shellText: holdsShell || (path.length === 1 && joins),
    value: (subject) => shellValue(subject.event, path),
    identities: (subject) => {
      const value = shellValue(subject.event, path);
      if (typeof value === "string") return [[value]];
      const joined = joins ? shellJoined(value) : undefined;
      return joined === undefined ? textsOf(value).map((text) => [text]) : [[joined]];
    },
  };
}

function resolveShortNames(path: FieldPath): FieldPath {
  const [root, ...rest] = path;
  if (root === "args") return ["tool_input", ...rest];
  return root === "event" && rest.length === 0 ? ["hook_event_name"] : path;
}

function shortName(key: string, parts: Partial<Field> & Pick<Field, "value">): Field {
  return {
    key,
    pathLike: false,
    shellText: false,
    identities: (subject) => textsOf(parts.value(subject)).map((text) => [text]),
    ...parts,
  };
}

const toolName = (subject: JudgedEvent) =>
  readPath(subject.event, ["tool_name"]) ?? readPath(subject.event, ["tool"]);

/** Stand for a path into the event, wherever a field is named. */
const SHORT_NAMES: ReadonlyMap<string, Field> = new Map([
  [
    "tool",
    shortName("tool", {
      value: toolName,
      identities: (subject) => {
        const name = toolName(subject);
        return typeof name === "string" ? [toolSpellings(name)] : [];
      },
    }),
  ],
  [
    "command",
    shortName("command", {
      shellText: true,
      value: shellTextOf,
      identities: (subject) => shellTextsOf(subject).map((text) => [text]),
    }),
  ],
  [
    "call",
    shortName("call", { shellText: true, value: (subject) => readPath(subject.event, ["tool_input"]) }),
  ],
  [
    "path",
    shortName("path", {
      pathLike: true,
      value: (subject) => filesOf(subject)[0],
      identities: (subject) => filesOf(subject).flatMap((path) => pathIdentities(subject, path)),
    }),
  ],
  ["model", shortName("model", { value: (subject) => modelOf(subject.event) })],
]);

/** @public for the page of rules in the docs */
export const FIELD_NAMES: readonly string[] = ["event", "args", ...SHORT_NAMES.keys()];
