import { createHooks } from "tenterhook";
import { expect, it } from "vitest";
import { agentOf, says } from "./support/agents.ts";

it("gives every event the fields of the table", async () => {
  const hooks = createHooks();
  const fields: Record<string, readonly string[]> = {};
  const common = new Set([
    "hook_event_name",
    "event_id",
    "seq",
    "timestamp",
    "session_id",
    "agent_id",
    "agent_type",
    "cwd",
    "host",
    "turn_id",
    "usage",
  ]);
  hooks.observe({
    onDecision: ({ event }) => {
      fields[event.hook_event_name] ??= Object.keys(event)
        .filter((key) => !common.has(key))
        .sort();
    },
  });
  const { agent } = agentOf([{ text: "a", tool_calls: [says("x"), says("y", "Broken")] }], { hooks });
  await agent.run("go");
  await agent.close();
  expect(fields).toEqual({
    SessionStart: ["model", "source"],
    ModelSwitch: ["new_model", "old_model", "triggered_by"],
    UserPromptSubmit: ["prompt"],
    TurnStart: ["input", "is_hook_input_turn"],
    AgentStart: ["task"],
    PreGeneration: ["messages", "system_prompt"],
    PreIteration: ["iteration", "messages", "system_prompt"],
    PreModelRequest: ["request"],
    StreamDelta: ["text"],
    PostModelResponse: ["duration_ms", "response"],
    PreToolUse: ["tool_input", "tool_name", "tool_use_id"],
    PostToolUse: ["duration_ms", "tool_input", "tool_name", "tool_response", "tool_use_id"],
    Error: [
      "attempt",
      "error_message",
      "error_type",
      "occurrence",
      "severity",
      "stack_trace",
      "tool",
      "tool_use_id",
    ],
    PostToolUseFailure: [
      "duration_ms",
      "error",
      "error_type",
      "is_interrupt",
      "tool_input",
      "tool_name",
      "tool_use_id",
    ],
    PostToolBatch: ["tool_calls"],
    PostIteration: ["iteration", "response"],
    Stop: ["continuations", "last_assistant_message", "output_messages", "response", "stop_hook_active"],
    PostGeneration: ["response", "result"],
    AgentStop: ["iterations", "reason", "result", "tool_use_count"],
    TurnEnd: ["is_hook_input_turn", "result"],
    SessionEnd: ["duration_ms", "reason"],
  });
});
