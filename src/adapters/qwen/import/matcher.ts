import { canonicalToolName, TOOL_NAMES } from "../../../core/match/tool-names.ts";
import { isRegex } from "../../../node/regex.ts";
import type { Tell } from "../../import/convert.ts";
import { COMPARED, everyTime } from "../../import/matcher.ts";
import { linearOrNothing } from "../../import/tool-regex.ts";
import { TOOL_EVENTS } from "../events.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts a matcher to our fields, never to fewer events than before. Tells everything that differs; `undefined` for a
 * matcher that never matched.
 */
export function importMatcher(event: string, given: unknown, tell: Tell): Fields | undefined {
  const matcher = read(given);
  if (matcher === undefined) return {};
  const isTool = TOOL_EVENTS.has(event);
  if (!isTool && !COMPARED.has(event)) return {};
  const { names, expression } = matcher;
  if (!isRegex(expression)) {
    tell(
      `its matcher ${JSON.stringify(given)} is no regular expression, so Qwen Code never ran it; the hook was skipped.`,
    );
    return undefined;
  }
  const compared = isTool ? "tools" : COMPARED.get(event)?.matcher;
  if (compared !== undefined && linearOrNothing(expression) !== undefined) {
    const spelled = isTool ? names.flatMap(spellings) : names;
    return { [compared]: [...new Set(spelled), `/${expression.replaceAll("/", "\\/")}/`] };
  }
  return everyTime(event, String(given), tell);
}

/** True when Qwen Code runs a hook with this matcher for a payload. */
export function isMatched(event: string, given: unknown, payload: Fields): boolean {
  const matcher = read(given);
  if (matcher === undefined) return true;
  const isTool = TOOL_EVENTS.has(event);
  const field = isTool ? "tool_name" : COMPARED.get(event)?.field;
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
