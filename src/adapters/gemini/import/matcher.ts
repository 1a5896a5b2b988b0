import type { Tell } from "../../import/convert.ts";
import { linearOrNothing, toolsByRegex } from "../../import/tool-regex.ts";
import { TOOL_EVENTS } from "../events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a matcher compares on events that are not about tools; on all others it means nothing. */
const COMPARED: ReadonlyMap<string, string> = new Map([
  ["SessionStart", "source"],
  ["SessionEnd", "reason"],
  ["PreCompress", "trigger"],
  ["Notification", "notification_type"],
]);

/** Converts a matcher to our fields, never to fewer events than before. Tells everything that differs. */
export function importMatcher(event: string, matcher: unknown, tell: Tell): Fields {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return {};
  if (event === "SessionStart" && /^\w+$/.test(matcher)) return { sources: [matcher] };
  if (TOOL_EVENTS.has(event)) return toolsByRegex(matcher, tell);
  if (COMPARED.has(event))
    tell(`its matcher ${JSON.stringify(matcher)} has no equivalent on ${event}: here it runs every time.`);
  return {};
}

/** True when Gemini CLI runs a hook with this matcher for a payload. */
export function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  const { tool_name } = payload;
  if (TOOL_EVENTS.has(event) && typeof tool_name === "string")
    return linearOrNothing(matcher)?.(tool_name) ?? matcher === tool_name;
  const field = COMPARED.get(event);
  return field === undefined || payload[field] === matcher;
}
