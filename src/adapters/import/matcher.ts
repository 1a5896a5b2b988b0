import type { Tell } from "./convert.ts";

/**
 * What a matcher compares on events that are not about tools, and our matcher's field for it. Most agents that have one of
 * these events compare the same.
 */
export const COMPARED_BY_MOST: ReadonlyMap<string, { readonly field: string; readonly matcher?: string }> =
  new Map([
    ["SessionStart", { field: "source", matcher: "sources" }],
    ["SubagentStart", { field: "agent_type", matcher: "agents" }],
    ["SubagentStop", { field: "agent_type", matcher: "agents" }],
    ["PreCompact", { field: "trigger" }],
    ["PostCompact", { field: "trigger" }],
    ["SessionEnd", { field: "reason" }],
    ["Notification", { field: "notification_type" }],
  ]);

/** What a matcher selects, as written; `undefined` when that is everything. */
export function selectionOf(matcher: unknown): string | undefined {
  return typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : undefined;
}

/** The fields for a matcher that ours can't express. */
export function everyTime(event: string, matcher: string, tell: Tell): Readonly<Record<string, never>> {
  tell(`its matcher ${JSON.stringify(matcher)} has no equivalent on ${event}: here it runs every time.`);
  return {};
}
