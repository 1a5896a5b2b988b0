/** Matcher fields of ours. */
type Fields = Readonly<Record<string, unknown>>;

/** What Claude Code's `matcher` looks at on each event, as our matcher says it. What is not here has no matcher. */
const LOOKS_AT: Readonly<Record<string, (value: string, names: readonly string[] | undefined) => Fields>> = {
  PreToolUse: tools,
  PermissionRequest: tools,
  PermissionDenied: tools,
  PostToolUse: tools,
  PostToolUseFailure: tools,
  SessionStart: (value, names) => ({ sources: names ?? `/${value}/` }),
  SubagentStart: (value, names) => ({ agents: names ?? `/${value}/` }),
  SubagentStop: (value, names) => ({ agents: names ?? `/${value}/` }),
  StopFailure: (value, names) => ({ error_types: names ?? `/${value}/` }),
  PreModelSwitch: (value, names) => ({ model_patterns: names ?? `/${value}/` }),
  Notification: field("notification_type"),
  PreCompact: field("trigger"),
  PostCompact: field("trigger"),
  Setup: field("trigger"),
  SessionEnd: field("reason"),
  UserPromptExpansion: field("command_name"),
  PostModelSwitch: field("to_model"),
  Elicitation: field("mcp_server_name"),
  ElicitationResult: field("mcp_server_name"),
  ConfigChange: field("source"),
  InstructionsLoaded: field("load_reason"),
  DirectoryAdded: field("source"),
};

/** Only then is a matcher a list of names; any other is a regular expression that may fit anywhere. */
const PLAIN = /^[\w|, -]+$/;
/** `Bash(git push:*)`, the one condition that can be carried over. */
const SHELL_RULE = /^Bash\((.+?)(:\*)?\)$/;

/**
 * Our matcher fields for a `matcher` and an `if` of Claude Code; `undefined` when the hook would run on other events
 * than it did.
 */
export function importMatcher(
  event: string,
  matcher: unknown,
  condition: unknown,
  tell: (problem: string) => void,
): Fields | undefined {
  const rule = condition === undefined ? undefined : SHELL_RULE.exec(String(condition));
  if (rule === null) {
    tell(`its condition ${JSON.stringify(condition)} can't be said with a matcher; the hook was left out.`);
    return undefined;
  }
  const command =
    rule === undefined ? {} : { tools: ["Bash"], command_patterns: [`${rule[1]}${rule[2] ? "*" : ""}`] };
  if (matcher === undefined || matcher === "" || matcher === "*") return command;
  const fields = LOOKS_AT[event];
  if (fields === undefined || typeof matcher !== "string") {
    tell(`${event} has no matcher there; ${JSON.stringify(matcher)} was left out.`);
    return command;
  }
  const names = PLAIN.test(matcher)
    ? matcher
        .split(/[|,]/)
        .map((name) => name.trim())
        .filter((name) => name !== "")
    : undefined;
  return { ...fields(matcher, names), ...command };
}

function tools(value: string, names: readonly string[] | undefined): Fields {
  return { tools: names ?? `/${value}/` };
}

function field(name: string): (value: string, names: readonly string[] | undefined) => Fields {
  return (value, names) => ({
    when:
      names === undefined
        ? { field: name, operator: "matches", value }
        : { field: name, operator: "in", value: names },
  });
}
