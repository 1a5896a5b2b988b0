import type { Tell } from "../../import/convert.ts";
import { COMPARED, everyTime, selectionOf } from "../../import/matcher.ts";
import { linearOrNothing, toolsByRegex } from "../../import/tool-regex.ts";
import { TOOL_EVENTS } from "../events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Converts a matcher to our fields, never to fewer events than before. Tells everything that differs. */
export function importMatcher(event: string, matcher: unknown, tell: Tell): Fields {
  const selection = selectionOf(matcher);
  if (selection === undefined) return {};
  if (event === "SessionStart" && /^\w+$/.test(selection)) return { sources: [selection] };
  if (TOOL_EVENTS.has(event)) return toolsByRegex(selection, tell);
  return COMPARED.has(event) ? everyTime(event, selection, tell) : {};
}

/** True when Gemini CLI runs a hook with this matcher for a payload. */
export function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  const selection = selectionOf(matcher);
  if (selection === undefined) return true;
  const { tool_name } = payload;
  if (TOOL_EVENTS.has(event) && typeof tool_name === "string")
    return linearOrNothing(selection)?.(tool_name) ?? selection === tool_name;
  const field = COMPARED.get(event)?.field;
  return field === undefined || payload[field] === selection;
}
