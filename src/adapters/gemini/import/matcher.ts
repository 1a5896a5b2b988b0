import { canonicalToolName, TOOL_NAMES } from "../../../core/match/tool-names.ts";
import { linearRegex } from "../../../node/regex.ts";
import type { Tell } from "../../import/convert.ts";
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
  if (TOOL_EVENTS.has(event)) return toolsOf(matcher, tell);
  if (COMPARED.has(event))
    tell(`its matcher ${JSON.stringify(matcher)} has no equivalent on ${event}: here it runs every time.`);
  return {};
}

/** A matcher is a regular expression for any part of the name. */
function toolsOf(matcher: string, tell: Tell): Fields {
  if (expression(matcher) === undefined) {
    tell(`its matcher ${JSON.stringify(matcher)} can't be used here: it runs for every tool.`);
    return {};
  }
  const tools = [`/${matcher.replaceAll("/", "\\/")}/`];
  if (/^[\w|]+$/.test(matcher) && matcher.split("|").every(isKnown)) return { tools };
  tell("its matcher can match tools of MCP servers, which have other names here: it runs for all of them.");
  return { tools: [...tools, "mcp__*"] };
}

function isKnown(name: string): boolean {
  return Object.hasOwn(TOOL_NAMES, canonicalToolName(name));
}

function expression(matcher: string): ((text: string) => boolean) | undefined {
  try {
    return linearRegex(matcher, false);
  } catch {
    return undefined;
  }
}

/** True when Gemini CLI runs a hook with this matcher for a payload. */
export function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  const { tool_name } = payload;
  if (TOOL_EVENTS.has(event) && typeof tool_name === "string")
    return expression(matcher)?.(tool_name) ?? matcher === tool_name;
  const field = COMPARED.get(event);
  return field === undefined || payload[field] === matcher;
}
