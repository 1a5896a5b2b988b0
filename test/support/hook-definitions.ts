import type { EventName } from "tenterhook";

/** A hook of rules on these events, or else on PreToolUse. */
export function rulesHook(name: string, rules: string, ...events: readonly EventName[]) {
  const matcher = { events: events.length === 0 ? (["PreToolUse"] as const) : events };
  return { name, type: "inline", matcher, rules } as const;
}

/** A hook that runs a command on these events, or else on PreToolUse. */
export function commandHook(
  name: string,
  command: string | readonly string[],
  ...events: readonly EventName[]
) {
  const matcher = { events: events.length === 0 ? (["PreToolUse"] as const) : events };
  return { name, type: "command", matcher, command } as const;
}
