import { describe, expect, it } from "vitest";
import { camelCased } from "../../src/handlers/written-for.ts";

const TIME = { timestamp: "2026-11-16T08:57:44.193Z" };
const MILLISECONDS = { timestamp: 1794819464193 };
const AGENT = { agent_id: "a1", agent_type: "general-purpose", parent_agent_id: "s1" };
const CAMEL_AGENT = { agentId: "a1", agentType: "general-purpose", parentAgentId: "s1" };

/** Recorded from one run with hooks on both spellings of each event. */
const RECORDED: readonly (readonly [event: string, capital: object, small: object])[] = [
  ["SessionStart", { source: "new", initial_prompt: "go" }, { source: "new", initialPrompt: "go" }],
  ["UserPromptSubmit", { ...AGENT, prompt: "do it" }, { prompt: "do it", ...CAMEL_AGENT }],
  [
    "PreToolUse",
    { tool_name: "Edit", tool_input: { path: "a.txt", old_str: "x", new_str: "y" } },
    { toolName: "edit", toolArgs: { path: "a.txt", old_str: "x", new_str: "y" } },
  ],
  [
    "PreToolUse",
    { tool_name: "Edit", tool_input: { x: 1 } },
    { toolName: "apply_patch", toolArgs: { x: 1 } },
  ],
  ["PreToolUse", { tool_name: "Agent", tool_input: {} }, { toolName: "task", toolArgs: {} }],
  ["PreToolUse", { tool_name: "demo-say", tool_input: {} }, { toolName: "demo-say", toolArgs: {} }],
  [
    "PostToolUse",
    {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_result: { result_type: "success", text_result_for_llm: "a_b" },
    },
    {
      toolName: "bash",
      toolArgs: { command: "ls" },
      toolResult: { resultType: "success", textResultForLlm: "a_b" },
    },
  ],
  [
    "PostToolUseFailure",
    { tool_name: "WebFetch", tool_input: {}, error: "It failed." },
    { toolName: "web_fetch", toolArgs: {}, error: "It failed." },
  ],
  [
    "Stop",
    { ...AGENT, transcript_path: "/t", stop_reason: "end_turn", stop_hook_active: false },
    { transcriptPath: "/t", stopReason: "end_turn", stop_hook_active: false, ...CAMEL_AGENT },
  ],
];

describe("a payload for a hook on an event with a small letter", () => {
  it.each(RECORDED)("is that of %s to the byte", (event, capital, small) => {
    const given = { hook_event_name: event, session_id: "s1", ...TIME, cwd: "/app", ...capital };
    const wanted = { sessionId: "s1", ...MILLISECONDS, cwd: "/app", ...small };
    expect(JSON.stringify(camelCased(given))).toBe(JSON.stringify(wanted));
    expect(JSON.stringify(camelCased(wanted))).toBe(JSON.stringify(wanted));
  });

  it("has what the end of a subagent said under its other name", () => {
    expect(camelCased({ hook_event_name: "SubagentStop", last_assistant_message: "done" })).toEqual({
      response: "done",
    });
  });
});
