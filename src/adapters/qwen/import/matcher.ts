import { canonicalToolName } from "../../../core/match/tool-names.ts";
import type { Tell } from "../../import/convert.ts";
import { linearOrNothing } from "../../import/tool-regex.ts";
import { TOOL_EVENTS } from "../events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a matcher compares on events that are not about tools, and our matcher's field for it. */
const COMPARED: ReadonlyMap<string, { readonly field: string; readonly matcher?: string }> = new Map([
  ["SessionStart", { field: "source", matcher: "sources" }],
  ["SubagentStart", { field: "agent_type", matcher: "agents" }],
  ["SubagentStop", { field: "agent_type", matcher: "agents" }],
  ["PreCompact", { field: "trigger" }],
  ["PostCompact", { field: "trigger" }],
  ["SessionEnd", { field: "reason" }],
  ["Notification", { field: "notification_type" }],
]);

/** A matcher of these characters is a list of names first. */
const LIST = /^[\w|-]+$/;

/**
 * Converts a matcher to our fields, never to fewer events than before. Tells everything that differs; `undefined` for a
 * matcher that never matched.
 */
export function importMatcher(event: string, matcher: unknown, tell: Tell): Fields | undefined {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return {};
  const isTool = TOOL_EVENTS.has(event);
  if (!isTool && !COMPARED.has(event)) return {};
  if (!isExpression(matcher)) {
    tell(
      `its matcher ${JSON.stringify(matcher)} is no regular expression, so that Qwen Code never ran it; the hook was skipped.`,
    );
    return undefined;
  }
  const compared = isTool ? "tools" : COMPARED.get(event)?.matcher;
  if (compared !== undefined && isList(matcher)) return { [compared]: matcher.split("|") };
  if (isTool && linearOrNothing(matcher) !== undefined)
    return { tools: [`/${matcher.replaceAll("/", "\\/")}/`] };
  tell(`its matcher ${JSON.stringify(matcher)} has no equivalent on ${event}: here it runs every time.`);
  return {};
}

/** True when Qwen Code runs a hook with this matcher for a payload. */
export function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  const field = TOOL_EVENTS.has(event) ? "tool_name" : COMPARED.get(event)?.field;
  const value = field === undefined ? undefined : payload[field];
  if (typeof value !== "string") return field === undefined;
  if (!isList(matcher)) return linearOrNothing(matcher)?.(value) ?? false;
  const names = matcher.split("|");
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
