import { canonicalToolName, toolSpellings } from "../../../core/match/tool-names.ts";
import { isRegex } from "../../../node/regex.ts";
import type { Tell } from "../../import/convert.ts";
import { linearOrNothing, toolsByRegex } from "../../import/tool-regex.ts";
import { withCapital } from "../event-of.ts";
import { TOOL_EVENTS } from "../events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** True for a name that chooses payloads with fields in camelCase, and Copilot's own names of tools. */
export function hasSmallLetter(event: string): boolean {
  return /^[a-z]/.test(event);
}

/**
 * Our fields for a matcher, never for fewer events than before; `undefined` for one that never matched. It is an
 * expression for the whole name of a tool, and means nothing on other events.
 */
export function importMatcher(event: string, matcher: unknown, tell: Tell): Fields | undefined {
  if (typeof matcher !== "string" || !TOOL_EVENTS.has(withCapital(event))) return {};
  if (isAll(event, matcher)) return {};
  if (matcher === "" || !isRegex(matcher)) {
    tell(
      `its matcher ${JSON.stringify(matcher)} is no regular expression, so GitHub Copilot CLI never ran it; the hook was skipped.`,
    );
    return undefined;
  }
  if (!/^[\w|]+$/.test(matcher)) return toolsByRegex(`^(?:${matcher})$`, tell);
  for (const name of hasSmallLetter(event) ? matcher.split("|") : [])
    if (/^[A-Z]/.test(name))
      tell(
        `GitHub Copilot CLI has no tool ${name} on events in camelCase, so it matched nothing; here it matches ${canonicalToolName(name)}.`,
      );
  return { tools: matcher.split("|") };
}

/** True when Copilot runs a hook with this matcher for a payload. */
export function isMatched(event: string, matcher: unknown, payload: Fields): boolean {
  const name = payload.tool_name ?? payload.toolName;
  if (typeof matcher !== "string" || typeof name !== "string" || isAll(event, matcher)) return true;
  const test = matcher !== "" && isRegex(matcher) ? linearOrNothing(`^(?:${matcher})$`) : undefined;
  const names = hasSmallLetter(event) ? [name] : toolSpellings(name);
  return test !== undefined && names.some((one) => test(one));
}

function isAll(event: string, matcher: string): boolean {
  return matcher === ".*" || (matcher === "*" && !hasSmallLetter(event));
}
