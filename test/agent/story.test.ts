import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { allow, ask, createHooks, EVENTS, keepGoing } from "tenterhook";
import { scriptedModel, type Tool } from "tenterhook/agent";
import { expect, it } from "vitest";
import { agentOf, broken, echo, reply, says } from "./support/agents.ts";

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
  run: async ({ file_path }, { cwd, host }) => {
    await host.loadSkill?.("memo", "");
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

const work: Tool = {
  ...echo,
  name: "Work",
  annotations: {},
  run: async (_, { host, signal }) => {
    const task = { agent_type: "general-purpose", task: "look", description: "looks" };
    return (await host.startTask?.(task, signal)) ?? { content: "nobody works" };
  },
};

/** A tool that changes the mode and ends only with the run. */
const endless: Tool = {
  ...echo,
  name: "Endless",
  run: async (_, { progress, signal, host }) => {
    await host.setMode?.("plan");
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      progress("waiting");
    });
  },
};

/** What of an event the story tells, beside its name. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ["tool_name"],
  PostToolUse: ["tool_name"],
  PostToolUseFailure: ["tool_name", "error_type"],
  PostBackgroundToolUse: ["tool_name"],
  PermissionRequest: ["tool_name"],
  PermissionDenied: ["tool_name", "by"],
  AgentPrompt: ["prompt_type"],
  Error: ["error_type", "occurrence"],
  ModelSwitch: ["new_model", "triggered_by"],
  ModeChanged: ["old_mode", "new_mode"],
  GoalProgress: ["achieved"],
  MemoryUpdate: ["update_type"],
  SkillLoaded: ["skill_name"],
  PreIteration: ["iteration"],
  Stop: ["stop_hook_active", "continuations"],
  SubagentStart: ["task"],
  SubagentStop: ["result"],
  AgentStop: ["reason"],
  Checkpoint: ["checkpoint_type"],
  PreCompact: ["trigger"],
  PostCompact: ["trigger", "summary"],
  Interrupt: ["reason"],
  SessionStart: ["source", "model"],
  SessionEnd: ["reason"],
};

it("fires every event that belongs to a run, in the documented order", async () => {
  const hooks = createHooks();
  let finish = (): void => {};
  const slowWork = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const seen: string[] = [];
  hooks.observe({
    onDecision: ({ event }) => {
      const { hook_event_name: name, agent_type } = event;
      const more = (ABOUT[name] ?? []).map((field) => String(event[field]));
      seen.push([name, ...more, ...(agent_type === "main" ? [] : ["of the child"])].join(" "));
    },
  });
  hooks.on("PreToolUse", { tools: ["Asked"] }, () => ask());
  hooks.on("PreToolUse", { tools: ["Granted"] }, () => ask());
  hooks.on("PermissionRequest", { tools: ["Granted"] }, () => allow());
  hooks.on("Stop", { once: true }, (_, { record }) => {
    record({ verdict: { ok: false, reason: "not yet" } });
    return keepGoing("not yet");
  });
  const failing = scriptedModel([{ error: { status: 401, message: "no key" } }], "first");
  const tools = [
    echo,
    broken,
    slow(slowWork),
    note,
    question,
    work,
    endless,
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
          { name: "Note", input: { file_path: "AGENTS.md" } },
        ],
      },
      { text: "done?" },
      async () => {
        finish();
        await slowWork;
        return { text: "I think so" };
      },
      { text: "done" },
      { tool_calls: [says("g", "Work"), says("h", "Question")] },
      { text: "I looked" },
      { text: "whole" },
      { text: "short" },
      { tool_calls: [says("i", "Endless")] },
    ],
    "second",
  );
  const { agent } = agentOf([], {
    model: failing,
    models: { fallback: [second] },
    hooks,
    tools,
    store: { append: () => {} },
    suspend: true,
    context: {
      findSkills: async () => [{ name: "memo", description: "", folder: "/memo", body: "Be brief." }],
      compaction: { keep_tokens: 1 },
    },
    approval: () => ({ allow: false, feedback: "not today" }),
  });
  const results = [
    await agent.run("go"),
    await agent.run("with help"),
    await agent.continue(reply(agent, { "Which?": "this" })),
  ];
  await agent.compact();
  results.push(
    await agent.run("without end", { onItem: (item) => item.type === "tool_progress" && agent.interrupt() }),
  );
  await agent.close();
  expect(results.map(({ text, stop_reason, iterations }) => [text, stop_reason, iterations])).toEqual([
    ["done", "complete", 5],
    ["Question waits for a human.", "suspended", 1],
    ["whole", "complete", 2],
    ["", "cancelled", 1],
  ]);
  expect(seen).toEqual([
    "SessionStart startup scripted/first",
    "ModelSwitch scripted/first user",
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
    "PostToolUse Slow",
    "PostToolUseFailure Broken RangeError",
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
    "PreToolUse Note",
    "MemoryUpdate created",
    "PostToolUse Granted",
    "SkillLoaded memo",
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
    "GoalProgress false",
    "PreIteration 3",
    "PreModelRequest",
    "StreamDelta",
    "PostModelResponse",
    "PostIteration",
    "PostBackgroundToolUse Slow",
    "PreIteration 4",
    "PreModelRequest",
    "StreamDelta",
    "PostModelResponse",
    "PostIteration",
    "Stop true 1",
    "PostGeneration",
    "AgentStop complete",
    "TurnEnd",
    "Checkpoint auto",
    "UserPromptSubmit",
    "TurnStart",
    "AgentStart",
    "PreGeneration",
    "PreIteration 0",
    "PreModelRequest",
    "PostModelResponse",
    "PreToolUse Work",
    "PreToolUse Question",
    "SubagentStart look of the child",
    "AgentStart of the child",
    "PreGeneration of the child",
    "PreIteration 0 of the child",
    "PreModelRequest of the child",
    "StreamDelta of the child",
    "PostModelResponse of the child",
    "PostIteration of the child",
    "SubagentStop I looked of the child",
    "PostGeneration of the child",
    "AgentStop complete of the child",
    "Checkpoint auto of the child",
    "PostToolUse Work",
    "AgentPrompt question",
    "Suspend",
    "AgentStop cancelled",
    "Checkpoint auto",
    "Resume",
    "AgentStart",
    "PreToolUse Question",
    "PostToolUse Question",
    "PostToolBatch",
    "PreGeneration",
    "PreIteration 1",
    "PreModelRequest",
    "StreamDelta",
    "PostModelResponse",
    "PostIteration",
    "Stop false 0",
    "PostGeneration",
    "AgentStop complete",
    "TurnEnd",
    "Checkpoint auto",
    "PreCompact manual",
    "PreModelRequest",
    "PostModelResponse",
    "PostCompact manual short",
    "UserPromptSubmit",
    "TurnStart",
    "AgentStart",
    "PreGeneration",
    "PreIteration 0",
    "PreModelRequest",
    "PostModelResponse",
    "PreToolUse Endless",
    "ModeChanged bypass plan",
    "PostToolUseFailure Endless Interrupted",
    "Interrupt interrupted",
    "AgentStop cancelled",
    "TurnEnd",
    "Checkpoint auto",
    "SessionEnd exit",
  ]);
  const fired = new Set(seen.map((line) => line.split(" ")[0]));
  const neverFired = Object.keys(EVENTS).filter((name) => !fired.has(name));
  expect(neverFired, "Let the agent fire these events in this story.").toEqual([]);
});
