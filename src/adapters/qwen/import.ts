import { isRecord } from "../../core/base/json.ts";
import { canonicalToolName, TOOL_NAMES } from "../../core/match/tool-names.ts";
import { isRegex } from "../../node/regex.ts";
import {
  eventFor,
  type ForeignHandler,
  handlersInGroups,
  importHooks,
  neededSecrets,
  type Tell,
  tellUnknownKeys,
  withBraces,
} from "../import/convert.ts";
import { COMPARED_BY_MOST, everyTime, linearOrNothing, manyNames } from "../import/matcher.ts";
import type { ForeignHooks } from "../integration.ts";
import { qwenTable, TOOL_EVENTS } from "./qwen.ts";

type Settings = Readonly<Record<string, unknown>>;

const USUAL_SECONDS = 60;
/** From here on a timeout is in milliseconds. */
const FIRST_MILLISECONDS = 1000;
const COMMON_KEYS = ["type", "name", "description", "timeout", "async", "statusMessage"];

/** Gates whose input a hook can rewrite. */
const REWRITABLE = ["PreToolUse", "PermissionRequest"];

export const importQwen = importHooks({
  table: qwenTable,
  handlers: handlersInGroups,
  unknown: "ignores unknown ones",
  notPassedOn: ["UserPromptExpansion", "TodoCreated", "TodoCompleted"],
  definitionOf,
  notes,
});

function definitionOf(
  { event, matcher, handler, parallel }: ForeignHandler,
  given: ForeignHooks,
  tell: Tell,
): Settings | undefined {
  const { name, description = handler.statusMessage ?? name } = handler;
  const settings = settingsOf(handler, given, tell);
  if (settings === undefined) return undefined;
  const fields = importMatcher(event, matcher, tell);
  if (fields === undefined) return undefined;
  if (Object.hasOwn(OTHERWISE, event)) tell(OTHERWISE[event] ?? "");
  return {
    ...(typeof description === "string" ? { description } : {}),
    ...settings,
    payload: "native",
    written_for: "qwen",
    matcher: { events: [eventFor(qwenTable, event)], ...fields },
    timeout: secondsOf(handler.timeout),
    // Qwen Code lets a call pass when its guard fails; here that is written out for everybody to see.
    on_failure: { default: "open", untrusted: "closed" },
    ...(REWRITABLE.includes(event) ? { recheck: false } : {}),
    ...(handler.async === true ? { async: true } : {}),
    parallel,
  };
}

/** What only this type of handler has. */
function settingsOf(handler: Settings, given: ForeignHooks, tell: Tell): Settings | undefined {
  const { type, command, env, url, headers, allowedEnvVars } = handler;
  if (type === "command" && typeof command === "string") {
    tellUnknownKeys(handler, [...COMMON_KEYS, "command", "env"], tell);
    const set = isRecord(env) ? { set_env: env } : {};
    return { type, command, ...set, ...neededSecrets(command, given, tell) };
  }
  if (type === "http" && typeof url === "string") {
    tellUnknownKeys(handler, [...COMMON_KEYS, "url", "headers", "allowedEnvVars"], tell);
    return {
      type,
      url,
      ...(isRecord(headers) ? { headers: withBraces(headers) } : {}),
      env: allowedEnvVars,
    };
  }
  tell(`hooks of the type ${JSON.stringify(type)} can't be imported: the hook stays in Qwen Code.`);
  return undefined;
}

function secondsOf(timeout: unknown): number {
  const given = typeof timeout === "string" ? Number(timeout) : timeout;
  if (typeof given !== "number" || !(given > 0)) return USUAL_SECONDS;
  return given >= FIRST_MILLISECONDS ? given / 1000 : given;
}

const OTHERWISE: Readonly<Record<string, string>> = {
  UserPromptSubmit:
    "Qwen Code also runs it before requests with results of tools; here it runs for prompts only.",
  Stop: "continue: false keeps Qwen Code going, with the stopReason as its next task; here the turn ends.",
  PostToolUse: "a refusal does nothing there; here the model reads its reason in place of the result.",
};

function notes(definitions: readonly Settings[]): readonly string[] {
  return [
    manyNames("Qwen Code"),
    "If one of these hooks crashes, the call goes on, as in Qwen Code; while it is not trusted, it is refused. For guards, set on_failure: closed.",
    "A refusal stands, whatever other hooks say; in Qwen Code the allow of a later hook cancels it. Exit code 2 refuses here also when the hook prints nothing on stderr.",
    "Qwen Code ignores updatedInput before a call. Here a call that a hook wants to rewrite is refused, or runs as it was, as degrade says.",
    ...(definitions.some(({ type }) => type === "command")
      ? [
          "Qwen Code runs commands in bash, Tenterhook in sh, without API keys and tokens except those that env names.",
        ]
      : []),
    "Equal commands run once in Qwen Code; here all of them run.",
  ];
}

/**
 * Converts a matcher to our fields, never to fewer events than before. Tells everything that differs; `undefined` for a
 * matcher that never matched.
 */
export function importMatcher(event: string, given: unknown, tell: Tell): Settings | undefined {
  const matcher = read(given);
  if (matcher === undefined) return {};
  const isTool = TOOL_EVENTS.has(event);
  if (!isTool && !COMPARED_BY_MOST.has(event)) return {};
  const { names, expression } = matcher;
  if (!isRegex(expression)) {
    tell(
      `its matcher ${JSON.stringify(given)} is no regular expression, so Qwen Code never ran it; the hook was skipped.`,
    );
    return undefined;
  }
  const compared = isTool ? "tools" : COMPARED_BY_MOST.get(event)?.matcher;
  if (compared !== undefined && linearOrNothing(expression) !== undefined) {
    const spelled = isTool ? names.flatMap(spellings) : names;
    return { [compared]: [...new Set(spelled), `/${expression.replaceAll("/", "\\/")}/`] };
  }
  return everyTime(event, String(given), tell);
}

export function isMatched(event: string, given: unknown, payload: Settings): boolean {
  const matcher = read(given);
  if (matcher === undefined) return true;
  const isTool = TOOL_EVENTS.has(event);
  const field = isTool ? "tool_name" : COMPARED_BY_MOST.get(event)?.field;
  const value = field === undefined ? undefined : payload[field];
  if (typeof value !== "string") return field === undefined;
  const { names, expression } = matcher;
  const isNamed = isTool
    ? names.flatMap(spellings).some((name) => canonicalToolName(name) === canonicalToolName(value))
    : names.includes(value);
  return isNamed || (linearOrNothing(expression)?.(value) ?? false);
}

/**
 * A matcher as Qwen Code reads it: names of which one is the whole name, and a regular expression that fits any part of
 * it; `undefined` for one that matches everything.
 */
function read(given: unknown) {
  const pattern = typeof given === "string" ? given.trim() : "";
  if (pattern === "" || pattern === "*" || pattern === ".*") return undefined;
  const isList = pattern.includes("|") && !/^[\^(]/.test(pattern);
  const parts = isList
    ? pattern
        .split("|")
        .map((part) => part.trim())
        .filter((part) => part !== "")
    : [pattern];
  if (parts.some((part) => part === "*" || part === ".*")) return undefined;
  return { names: parts.filter((part) => /^[\w-]+$/.test(part)), expression: parts.join("|") };
}

/** Names that Qwen Code shows and takes in matchers, as far as they are more than another spelling. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ["ListFiles", "list_directory"],
  ["TodoList", "todo_write"],
]);

/** A tool's name, and what it is called in payloads: WriteFile and WriteFileTool are write_file. */
function spellings(name: string): readonly string[] {
  const shown = name.replace(/(?<=[a-z])Tool$/, "");
  if (Object.hasOwn(TOOL_NAMES, canonicalToolName(name))) return [name];
  return [name, SHOWN.get(shown) ?? shown.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase()];
}
