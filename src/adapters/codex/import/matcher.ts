import { canonicalToolName, selectedTools } from "../../../core/match/tool-names.ts";
import { linearRegex } from "../../../node/regex.ts";
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
]);

/** A matcher of these characters is a list of names; any other is a regular expression. */
const LIST = /^[A-Za-z0-9_|]+$/;

/** Converts a matcher to our fields, never to fewer events than before. Tells everything that differs. */
export function importMatcher(event: string, matcher: unknown, tell: (difference: string) => void): Fields {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return {};
  const isTool = TOOL_EVENTS.has(event);
  const compared = isTool ? "tools" : COMPARED.get(event)?.matcher;
  if (!isTool && !COMPARED.has(event)) return {};
  if (compared !== undefined && LIST.test(matcher)) return { [compared]: matcher.split("|") };
  if (isTool) return { tools: [`/${matcher.replaceAll("/", "\\/")}/`] };
  tell(`its matcher ${JSON.stringify(matcher)} has no equivalent on ${event}: here it runs every time.`);
  return {};
}

/** True when Codex runs a hook with this matcher for a payload. */
export function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  const field = TOOL_EVENTS.has(event) ? "tool_name" : COMPARED.get(event)?.field;
  const value = field === undefined ? undefined : payload[field];
  if (typeof value !== "string") return field === undefined;
  if (!LIST.test(matcher)) return linearRegex(matcher, false)(value);
  const names = matcher.split("|");
  // Write and Edit select patches, Agent a subagent.
  return (
    names.includes(value) ||
    (field === "tool_name" && names.some((name) => selectedTools(name).includes(canonicalToolName(value))))
  );
}
