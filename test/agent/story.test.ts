import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { allow, ask, createHooks, EVENTS, keepGoing } from "tenterhook";
import { scriptedModel, type Tool } from "tenterhook/agent";
import { expect, it } from "vitest";
import { agentOf, broken, echo, says } from "./support/agents.ts";

/** A tool whose work goes on after it has answered. */
function slow(done: Promise<void>): Tool {
  return {
    ...echo,
    name: "Slow",
    run: async (_, { host }) => {
      host.deliverLater?.(done.then(() => ({ content: "slow result" })));
      return { content: "started" };
    },
  };
}

const note: Tool = {
  ...echo,
  name: "Note",
  annotations: { edits_files: true },
  input_schema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
  run: async ({ file_path }, { cwd }) => {
    writeFileSync(join(cwd, String(file_path)), "remember");
    return { content: "noted" };
  },
};

const question: Tool = {
  ...echo,
  name: "Question",
  run: async (_, { host, signal }) => {
    const answers = await host.askUser?.([{ question: "Which?" }], signal);
    return { content: `chose ${answers?.["Which?"]}` };
  },
};

/** What belongs to other parts than one run of one agent. */
const ELSEWHERE = [
  "SubagentStart",
  "SubagentStop",
  "Checkpoint",
  "PreCompact",
  "PostCompact",
  "Suspend",
  "Resume",
  "Interrupt",
];

it("fires every event that belongs to a run, in the documented order", async () => {
  const hooks = createHooks();
  let finish = (): void => {};
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const seen: string[] = [];
  const about: Record<string, readonly string[]> = {
    PreToolUse: ["tool_name"],
    PostToolUse: ["tool_name"],
    PostToolUseFailure: ["tool_name", "error_type"],
    PermissionRequest: ["tool_name"],
    PermissionDenied: ["tool_name", "by"],
    AgentPrompt: ["prompt_type"],
    Error: ["error_type", "occurrence"],
    ModelSwitch: ["new_model", "triggered_by"],
    MemoryUpdate: ["update_type"],
    PreIteration: ["iteration"],
    Stop: ["stop_hook_active", "continuations"],
    AgentStop: ["reason"],
    SessionStart: ["source", "model"],
  };
  hooks.observeDecisions(({ event }) => {
    const more = (about[event.hook_event_name] ?? []).map((field) => String(event[field]));
    seen.push([event.hook_event_name, ...more].join(" "));
  });
  hooks.on("PreToolUse", { tools: ["Asked"] }, () => ask());
  hooks.on("PreToolUse", { tools: ["Granted"] }, () => ask());
  hooks.on("PermissionRequest", { tools: ["Granted"] }, () => allow());
  hooks.on("Stop", ({ stop_hook_active }) => {
    return stop_hook_active === true ? undefined : keepGoing("not yet");
  });
  const failing = scriptedModel([{ error: { status: 401, message: "no key" } }], "first");
  const tools = [
    echo,
    broken,
    slow(work),
    note,
    question,
    { ...echo, name: "Asked" },
    { ...echo, name: "Granted" },
  ];
  const second = scriptedModel(
    [
      { text: "I start", tool_calls: [says("a"), says("b", "Broken"), says("c", "Slow")] },
      {
        tool_calls: [
          says("d", "Asked"),
          says("e", "Granted"),
          says("f", "Question"),
          { name: "Note", input: { file_path: "AGENTS.md" } },
        ],
      },
      { text: "done?" },
      async () => {
        finish();
        await work;
        return { text: "I think so" };
      },
      { text: "done" },
    ],
    "second",
  );
  const { agent } = agentOf([], {
    model: failing,
    fallback: [second],
    hooks,
    tools,
    approve: () => ({ decision: "refuse", feedback: "not today" }),
    askUser: async () => ({ "Which?": "this" }),
  });
  const result = await agent.run("go");
  await agent.close();
  expect(result).toMatchObject({ text: "done", stop_reason: "complete", iterations: 5 });
  expect(seen).toEqual([
    "SessionStart startup scripted/first",
    "UserPromptSubmit",
    "TurnStart",
    "AgentStart",
    "PreGeneration",
    "PreIteration 0",
    "PreModelRequest",
    "Error authentication 1",
    "ModelSwitch scripted/second fallback",
    "StreamDelta",
    "PostModelResponse",
    "PreToolUse Echo",
    "PreToolUse Broken",
    "PreToolUse Slow",
    "PostToolUse Echo",
    "Error RangeError 1",
    "PostToolUseFailure Broken RangeError",
    "PostToolUse Slow",
    "PostToolBatch",
    "PostIteration",
    "PreIteration 1",
    "PreModelRequest",
    "PostModelResponse",
    "PreToolUse Asked",
    "PermissionRequest Asked",
    "AgentPrompt permission",
    "Notification",
    "PermissionDenied Asked user",
    "PreToolUse Granted",
    "PermissionRequest Granted",
    "PreToolUse Question",
    "PreToolUse Note",
    "MemoryUpdate created",
    "PostToolUse Granted",
    "AgentPrompt question",
    "Notification",
    "PostToolUse Question",
    "PostToolUse Note",
    "MemoryUpdate created",
    "PostToolBatch",
    "PostIteration",
    "PreIteration 2",
    "PreModelRequest",
    "StreamDelta",
    "PostModelResponse",
    "PostIteration",
    "Stop false 0",
    "PreIteration 3",
    "PreModelRequest",
    "StreamDelta",
    "PostModelResponse",
    "PostIteration",
    "PostBackgroundToolUse",
    "PreIteration 4",
    "PreModelRequest",
    "StreamDelta",
    "PostModelResponse",
    "PostIteration",
    "Stop true 1",
    "PostGeneration",
    "AgentStop complete",
    "TurnEnd",
    "SessionEnd",
  ]);
  const fired = new Set(seen.map((line) => line.split(" ")[0]));
  expect(Object.keys(EVENTS).filter((name) => !fired.has(name))).toEqual(ELSEWHERE);
});

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
  ]);
  hooks.observeDecisions(({ event }) => {
    fields[event.hook_event_name] ??= Object.keys(event)
      .filter((key) => !common.has(key))
      .sort();
  });
  const { agent } = agentOf([{ text: "a", tool_calls: [says("x"), says("y", "Broken")] }], { hooks });
  await agent.run("go");
  await agent.close();
  expect(fields).toEqual({
    SessionStart: ["model", "source"],
    UserPromptSubmit: ["prompt"],
    TurnStart: ["input", "is_hook_input_turn"],
    AgentStart: ["task"],
    PreGeneration: ["messages", "system_prompt"],
    PreIteration: ["iteration", "messages", "system_prompt", "usage"],
    PreModelRequest: ["request"],
    StreamDelta: ["text", "usage"],
    PostModelResponse: ["duration_ms", "response", "usage"],
    PreToolUse: ["tool_input", "tool_name", "tool_use_id"],
    PostToolUse: ["duration_ms", "tool_input", "tool_name", "tool_response", "tool_use_id"],
    Error: ["error_message", "error_type", "occurrence", "severity", "tool", "tool_use_id"],
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
    PostIteration: ["iteration", "response", "usage"],
    Stop: [
      "continuations",
      "last_assistant_message",
      "output_messages",
      "response",
      "stop_hook_active",
      "usage",
    ],
    PostGeneration: ["response", "usage"],
    AgentStop: ["reason", "result"],
    TurnEnd: ["is_hook_input_turn", "result"],
    SessionEnd: ["duration_ms", "reason"],
  });
});
