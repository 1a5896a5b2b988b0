import { canonicalToolName, TOOL_NAMES } from "../../core/match/tool-names.ts";
import { linearRegex } from "../../node/regex.ts";
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

/** What differs in the matchers of all agents, as a note. */
export function manyNames(title: string): string {
  return `A tool has several names here (Bash, Shell, run_shell_command), and a matcher of tools matches any of them; ${title} compares its own name alone.`;
}

/**
 * Our matcher for a regular expression that an agent compares with any part of a tool's name. Where tools of MCP servers
 * have other names here, it matches all of them.
 */
export function toolsByRegex(matcher: string, tell: Tell): { readonly tools?: readonly string[] } {
  if (linearOrNothing(matcher) === undefined) {
    tell(`its matcher ${JSON.stringify(matcher)} can't be used here: it runs for every tool.`);
    return {};
  }
  const tools = [`/${matcher.replaceAll("/", "\\/")}/`];
  const isKnown = (name: string) => Object.hasOwn(TOOL_NAMES, canonicalToolName(name));
  if (/^[\w|]+$/.test(matcher) && matcher.split("|").every(isKnown)) return { tools };
  tell("its matcher can match tools of MCP servers, which have other names here: it runs for all of them.");
  return { tools: [...tools, "mcp__*"] };
}

/** The expression, compiled; `undefined` when our engine can't. */
export function linearOrNothing(matcher: string): ((text: string) => boolean) | undefined {
  try {
    return linearRegex(matcher, false);
  } catch {
    return undefined;
  }
}
