import type { HookEvent } from "../../core/events/payloads.ts";
import { compileNames, matchesName } from "../../core/match/names.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";
import type { HookContext } from "../../core/ports.ts";
import type { HookFunction } from "../../core/registration/typed-hook.ts";
import { linearRegex } from "../../node/regex.ts";

/**
 * A PreToolUse hook for some tools only: a name, `A|B`, a glob such as `mcp__*`, or a regular expression (`^Bash$`,
 * `mcp__.*`), compiled once. Names that other agents have for a tool match too.
 *
 * @throws TenterhookError `bad_pattern`.
 * @example hooks.on("PreToolUse", matchTool("Bash|Edit", ({ tool_input }) => …))
 */
export function matchTool(pattern: string, hook: HookFunction<"PreToolUse">): HookFunction<"PreToolUse"> {
  const fits = toolTest(pattern, "matchTool");
  return (event, context) => (fits(event.tool_name) ? hook(event, context) : undefined);
}

/** The same for PostToolUse. */
export function matchToolPost(
  pattern: string,
  hook: HookFunction<"PostToolUse">,
): HookFunction<"PostToolUse"> {
  const fits = toolTest(pattern, "matchToolPost");
  return (event, context) => (fits(event.tool_name) ? hook(event, context) : undefined);
}

/** The same for PostToolUseFailure. */
export function matchToolPostFailure(
  pattern: string,
  hook: HookFunction<"PostToolUseFailure">,
): HookFunction<"PostToolUseFailure"> {
  const fits = toolTest(pattern, "matchToolPostFailure");
  return (event, context) => (fits(event.tool_name) ? hook(event, context) : undefined);
}

type AfterTool = "PostToolUse" | "PostToolUseFailure";

/** A hook for both events after a tool call, which runs only after success. */
export function onToolSuccess(
  hook: (event: HookEvent<"PostToolUse">, context: HookContext) => ReturnType<HookFunction<AfterTool>>,
): HookFunction<AfterTool> {
  return (event: HookEvent<AfterTool>, context: HookContext) =>
    event.hook_event_name === "PostToolUse" ? hook(event, context) : undefined;
}

/** A hook for both events after a tool call, which runs only after failure. */
export function onToolFailure(hook: HookFunction<"PostToolUseFailure">): HookFunction<AfterTool> {
  return (event: HookEvent<AfterTool>, context: HookContext) =>
    event.hook_event_name === "PostToolUseFailure" ? hook(event, context) : undefined;
}

/** Anything but names is a regular expression that may match anywhere, with or without slashes around it. */
function toolTest(pattern: string, place: string): (name: string) => boolean {
  const isPlain = /^[\w\s|,*-]+$|^\/.*\/i?$/s.test(pattern);
  const names = compileNames([isPlain ? pattern : `/${pattern}/`], linearRegex, place);
  const exact = new Set([...names.exact].map(canonicalToolName));
  return (name) =>
    exact.has(canonicalToolName(name)) ||
    matchesName(names, name) ||
    matchesName(names, canonicalToolName(name));
}
