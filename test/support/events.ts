import type { EventInput } from "tenterhook";

/** A shell call about to run, in a session of its own kind. */
export function bashCall(
  command = "ls",
  more: Partial<EventInput<"PreToolUse">> = {},
): EventInput<"PreToolUse"> {
  return {
    hook_event_name: "PreToolUse",
    session_id: "s1",
    cwd: "/project",
    tool_name: "Bash",
    tool_input: { command },
    ...more,
  };
}

/** A stop of the agent. */
export function stop(more: Partial<EventInput<"Stop">> = {}): EventInput<"Stop"> {
  return { hook_event_name: "Stop", session_id: "s1", cwd: "/project", ...more };
}

/** Where every test event happens. */
export const HERE = { session_id: "s1", cwd: "/project" } as const;
