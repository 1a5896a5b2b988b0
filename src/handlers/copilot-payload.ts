import { isRecord } from "../core/base/json.ts";

type Fields = Readonly<Record<string, unknown>>;

/*
 * GitHub Copilot CLI sends an event in two forms, by the first letter of its name in a file of hooks. It asks us in the form
 * of the capital letter. Both have the same values.
 */

/** Fields whose name in the other form does not follow from their own. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  tool_input: "toolArgs",
  last_assistant_message: "response",
  stop_hook_active: "stop_hook_active",
};

/** Copilot's own names of tools, by those it borrowed from Claude Code. */
const TOOLS: Readonly<Record<string, string>> = {
  Bash: "bash",
  Write: "create",
  Edit: "edit",
  Read: "view",
  Grep: "grep",
  Glob: "glob",
  Agent: "task",
  WebFetch: "web_fetch",
  WebSearch: "web_search",
  AskUserQuestion: "ask_user",
  TodoWrite: "update_todo",
};

/** Fields that come last. */
const OF_AGENT: readonly string[] = ["agentId", "agentType", "parentAgentId"];

/** The payload for a hook on an event with a small letter. */
export function camelCased({ hook_event_name, ...native }: Fields): Fields {
  const named = Object.entries(native).map(
    ([key, value]) => [nameOf(key), valueIn(key, value, native)] as const,
  );
  const isLast = ([key]: readonly [string, unknown]): boolean => OF_AGENT.includes(key);
  return Object.fromEntries([
    ...(hook_event_name === "Notification" ? [["hook_event_name", "notification"] as const] : []),
    ...named.filter((field) => !isLast(field)),
    ...named.filter(isLast),
  ]);
}

function nameOf(key: string): string {
  return (
    (Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined) ??
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  );
}

function valueIn(key: string, value: unknown, { tool_input }: Fields): unknown {
  if (key === "timestamp" && typeof value === "string") return Date.parse(value);
  if (key === "tool_name" && typeof value === "string") return toolOf(value, tool_input);
  if (key !== "tool_result" || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([inner, one]) => [nameOf(inner), one]));
}

/** Two of its tools have the name Edit. */
function toolOf(name: string, input: unknown): string {
  if (name === "Edit" && !(isRecord(input) && "old_str" in input)) return "apply_patch";
  return (Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined) ?? name;
}
