import { canonicalToolName, TOOL_NAMES } from "../../core/match/tool-names.ts";
import { linearRegex } from "../../node/regex.ts";
import type { Tell } from "./convert.ts";

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

function isKnown(name: string): boolean {
  return Object.hasOwn(TOOL_NAMES, canonicalToolName(name));
}
