import { canonicalToolName } from "../../../core/match/tool-names.ts";
import type { Tell } from "../../import/convert.ts";
import { COMPARED, everyTime, selectionOf } from "../../import/matcher.ts";
import { linearOrNothing } from "../../import/tool-regex.ts";
import { TOOL_EVENTS } from "../events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A matcher of these characters is a list of names first. */
const LIST = /^[\w|-]+$/;

/**
 * Converts a matcher to our fields, never to fewer events than before. Tells everything that differs; `undefined` for a
 * matcher that never matched.
 */
export function importMatcher(event: string, matcher: unknown, tell: Tell): Fields | undefined {
  const selection = selectionOf(matcher);
  if (selection === undefined) return {};
  const isTool = TOOL_EVENTS.has(event);
  if (!isTool && !COMPARED.has(event)) return {};
  if (!isExpression(selection)) {
    tell(
      `its matcher ${JSON.stringify(selection)} is no regular expression, so that Qwen Code never ran it; the hook was skipped.`,
    );
    return undefined;
  }
  const compared = isTool ? "tools" : COMPARED.get(event)?.matcher;
  if (compared !== undefined && isList(selection)) return { [compared]: selection.split("|") };
  if (isTool && linearOrNothing(selection) !== undefined)
    return { tools: [`/${selection.replaceAll("/", "\\/")}/`] };
  return everyTime(event, selection, tell);
}

/** True when Qwen Code runs a hook with this matcher for a payload. */
export function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  const selection = selectionOf(matcher);
  if (selection === undefined) return true;
  const field = TOOL_EVENTS.has(event) ? "tool_name" : COMPARED.get(event)?.field;
  const value = field === undefined ? undefined : payload[field];
  if (typeof value !== "string") return field === undefined;
  if (!isList(selection)) return linearOrNothing(selection)?.(value) ?? false;
  const names = selection.split("|");
  return (
    names.includes(value) ||
    (field === "tool_name" && names.some((name) => canonicalToolName(name) === canonicalToolName(value)))
  );
}

function isList(matcher: string): boolean {
  return LIST.test(matcher) && matcher.split("|").every((name) => name !== "");
}

function isExpression(matcher: string): boolean {
  try {
    return new RegExp(matcher) !== undefined;
  } catch {
    return false;
  }
}
