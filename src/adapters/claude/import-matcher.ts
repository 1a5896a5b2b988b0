import { canonicalToolName, TOOL_NAMES, toolSpellings } from "../../core/match/tool-names.ts";

type Fields = Readonly<Record<string, unknown>>;
type Names = readonly string[] | undefined;

/** What Claude Code's `matcher` compares on each event, as our matcher fields. Other events have no matcher. */
const LOOKS_AT: ReadonlyMap<string, (value: string, names: Names) => Fields> = new Map([
  ["SessionStart", (value: string, names: Names) => ({ sources: names ?? `/${value}/` })],
  ["SubagentStart", (value: string, names: Names) => ({ agents: names ?? `/${value}/` })],
  ["SubagentStop", (value: string, names: Names) => ({ agents: names ?? `/${value}/` })],
  ["StopFailure", (value: string, names: Names) => ({ error_types: names ?? `/${value}/` })],
  ["PreModelSwitch", (value: string, names: Names) => ({ model_patterns: names ?? `/${value}/` })],
  ["Notification", field("notification_type")],
  ["PreCompact", field("trigger")],
  ["PostCompact", field("trigger")],
  ["Setup", field("trigger")],
  ["SessionEnd", field("reason")],
  ["UserPromptExpansion", field("command_name")],
  ["PostModelSwitch", field("to_model")],
  ["Elicitation", field("mcp_server_name")],
  ["ElicitationResult", field("mcp_server_name")],
  ["ConfigChange", field("source")],
  ["InstructionsLoaded", field("load_reason")],
  ["DirectoryAdded", field("source")],
]);

/** The events whose matcher compares the tool; only these can have a condition. */
const TOOL_EVENTS: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** A matcher of these characters is a list of names; any other is a regular expression. */
const PLAIN = /^[\w|, -]+$/;
/** `Bash(git push:*)`, the only condition that can be converted. */
const SHELL_RULE = /^Bash\((.+?)(:\*)?\)$/;
/** A server name without a tool. */
const SERVER_ALONE = /^mcp__(?:(?!__)[\w-])+$/;
/** Claude Code's own names that our table lists under another agent. */
const ALSO_ITS_OWN: ReadonlySet<string> = new Set(["Agent", "MultiEdit", "PowerShell"]);

/**
 * Converts `matcher` and `if` of Claude Code to our matcher fields; `undefined` when the hook would run on other events
 * than before. Reports everything that is not converted.
 */
export function importMatcher(
  event: string,
  matcher: unknown,
  condition: unknown,
  tell: (problem: string) => void,
): Fields | undefined {
  const leftOut = (why: string): undefined => {
    tell(`${why}; the hook was skipped.`);
    return undefined;
  };
  const isTool = TOOL_EVENTS.has(event);
  if (condition !== undefined && !isTool)
    return leftOut(`it has a condition, with which no hook runs on ${event} there`);
  const rule = condition === undefined ? undefined : SHELL_RULE.exec(String(condition));
  if (rule === null)
    return leftOut(`its condition ${JSON.stringify(condition)} can't be said with a matcher`);
  const command = rule === undefined ? undefined : { command_patterns: [`${rule[1]}${rule[2] ? "*" : ""}`] };
  if (event === "FileChanged")
    return leftOut(
      `Claude Code watches the files that its matcher ${JSON.stringify(matcher ?? "")} names, and install names none`,
    );
  if (matcher === undefined || matcher === "" || matcher === "*")
    return command === undefined ? {} : { tools: ["Bash"], ...command };
  const fields = LOOKS_AT.get(event);
  if (typeof matcher !== "string" || (fields === undefined && !isTool)) {
    tell(`${event} has no matcher there; ${JSON.stringify(matcher)} was left out.`);
    return {};
  }
  const names = PLAIN.test(matcher) ? namesIn(matcher) : undefined;
  if (fields !== undefined) return fields(matcher, names);
  const never = names?.filter((name) => !isItsOwn(name)) ?? [];
  if (never.length > 0) tell(`Claude Code has no tool ${never.join(", ")}, so that it never ran for it.`);
  const tools = names?.filter(isItsOwn);
  if (tools?.length === 0) return leftOut(`its matcher ${JSON.stringify(matcher)} fits no tool there`);
  const more = names === undefined ? fitsByOtherNames(matcher) : [];
  if (more.length > 0)
    tell(`here its matcher fits ${more.join(", ")} too, by the names of other agents for the same tool.`);
  if (command === undefined) return { tools: tools ?? `/${matcher}/` };
  if (!(tools?.includes("Bash") ?? fits(matcher, "Bash")))
    return leftOut(
      `its condition ${JSON.stringify(condition)} never holds for a tool of its matcher ${JSON.stringify(matcher)}`,
    );
  return { tools: ["Bash"], ...command };
}

function namesIn(matcher: string): readonly string[] {
  return matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** False for another agent's name or spelling of a tool: Claude Code compares names exactly, we do not. */
function isItsOwn(name: string): boolean {
  if (SERVER_ALONE.test(name)) return false;
  return canonicalToolName(name) === name || ALSO_ITS_OWN.has(name);
}

/** Longer names are not tried: a bad regular expression takes twice as long with every letter. */
const LONGEST_NAME = 16;

/** The tools that the regular expression matches only by another agent's name for them. */
function fitsByOtherNames(pattern: string): readonly string[] {
  return Object.keys(TOOL_NAMES).filter((tool) => {
    const spellings = toolSpellings(tool).filter(
      (name) => name.length <= LONGEST_NAME && fits(pattern, name),
    );
    return spellings.length > 0 && !spellings.some(isItsOwn);
  });
}

function fits(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern).test(name);
  } catch {
    return false;
  }
}

function field(name: string): (value: string, names: Names) => Fields {
  return (value, names) => ({
    when:
      names === undefined
        ? { field: name, operator: "matches", value }
        : { field: name, operator: "in", value: names },
  });
}
