import { canonicalToolName, selectedTools } from "../../../core/match/tool-names.ts";
import { linearRegex } from "../../../node/regex.ts";
import { COMPARED, everyTime, selectionOf } from "../../import/matcher.ts";
import { TOOL_EVENTS } from "../events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A matcher of these characters is a list of names; any other is a regular expression. */
const LIST = /^[A-Za-z0-9_|]+$/;

/** Converts a matcher to our fields, never to fewer events than before. Tells everything that differs. */
export function importMatcher(event: string, matcher: unknown, tell: (difference: string) => void): Fields {
  const selection = selectionOf(matcher);
  if (selection === undefined) return {};
  const isTool = TOOL_EVENTS.has(event);
  const compared = isTool ? "tools" : COMPARED.get(event)?.matcher;
  if (!isTool && !COMPARED.has(event)) return {};
  if (compared !== undefined && LIST.test(selection)) return { [compared]: selection.split("|") };
  if (isTool) return { tools: [`/${selection.replaceAll("/", "\\/")}/`] };
  return everyTime(event, selection, tell);
}

/** True when Codex runs a hook with this matcher for a payload. */
export function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  const selection = selectionOf(matcher);
  if (selection === undefined) return true;
  const field = TOOL_EVENTS.has(event) ? "tool_name" : COMPARED.get(event)?.field;
  const value = field === undefined ? undefined : payload[field];
  if (typeof value !== "string") return field === undefined;
  if (!LIST.test(selection)) return linearRegex(selection, false)(value);
  const names = selection.split("|");
  // Write and Edit select patches, Agent a subagent.
  return (
    names.includes(value) ||
    (field === "tool_name" && names.some((name) => selectedTools(name).includes(canonicalToolName(value))))
  );
}
