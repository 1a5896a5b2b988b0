import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { context, createHooks, deny, rewrite } from "tenterhook";
import { type ActivityEntry, type AgentStore, defaultTools } from "tenterhook/agent";
import { jsonlStore, memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo, says, scratch } from "./support/agents.ts";

/** What an activity says, without times and ids nobody can know. */
function brief(item: object | undefined): unknown {
  if (item === undefined) return undefined;
  const { timestamp, turn_id, event_id, ...rest }: Partial<Record<string, unknown>> = { ...item };
  expect([typeof timestamp, typeof turn_id]).toEqual(["string", "string"]);
  const { runs } = rest;
  if (!Array.isArray(runs)) return rest;
  expect(typeof event_id).toBe("string");
  return { ...rest, runs: runs.map(({ duration_ms: _, ...run }: Record<string, unknown>) => run) };
}

it("the activity has the runs of hooks, denials, checkpoints and hook inputs in order, and messages by id", async () => {
  const store = memoryStore();
  const hooks = createHooks();
  hooks.on("SessionStart", { name: "start" }, () => undefined);
  hooks.on("PreToolUse", { name: "other" }, ({ tool_input }) => rewrite({ ...tool_input, text: "b" }));
  hooks.on("PreToolUse", { name: "guard" }, () => deny("Not that."));
  hooks.on("PostModelResponse", { name: "meter" }, () => undefined);
  hooks.on("Stop", { name: "last" }, () => undefined);
  const { agent } = agentOf([{ tool_calls: [{ ...says("a"), id: "c" }] }, { text: "ok" }], { store, hooks });
  await agent.submitHookInput({ hook: "client", text: "Go." });
  await agent.close();
  const ids = agent.transcript().map(({ id }) => id);
  const silent = (name: string) => ({ said_nothing: [name], runs: [] });
  const steps = await store.activity(agent.agent_id);
  expect(steps.map(({ item, message_id }) => message_id ?? brief(item))).toEqual([
    { type: "hook_runs", hook_event_name: "SessionStart", ...silent("start") },
    { type: "hook_input", hook: "client", text: "Go." },
    ids[0],
    ids[1],
    { type: "hook_runs", hook_event_name: "PostModelResponse", message_id: ids[1], ...silent("meter") },
    {
      type: "hook_runs",
      hook_event_name: "PreToolUse",
      tool_use_id: "c",
      said_nothing: [],
      runs: [
        {
          name: "other",
          handler: "function",
          outcome: { action: "continue", rewrite: true },
          input_after: { text: "b" },
        },
        { name: "guard", handler: "function", outcome: { action: "deny", reason: "Not that." } },
      ],
    },
    { type: "denied", tool_use_id: "c", tool_name: "Echo", by: "hook", reason: "Not that." },
    ids[2],
    ids[3],
    { type: "hook_runs", hook_event_name: "PostModelResponse", message_id: ids[3], ...silent("meter") },
    { type: "hook_runs", hook_event_name: "Stop", message_id: ids[3], ...silent("last") },
    { type: "checkpoint", checkpoint_type: "auto", message_id: ids[3], message_count: 4 },
  ]);
});

it("the activity has what hooks said each time, also of one that said nothing before or is gone", async () => {
  const store = memoryStore();
  const hooks = createHooks();
  let calls = 0;
  hooks.on("PreToolUse", { name: "first" }, () => (calls === 3 ? context("Last one.") : undefined));
  const remove = hooks.on("PreToolUse", { name: "second" }, () => {
    calls += 1;
    return undefined;
  });
  hooks.on("PreToolUse", { name: "third" }, () => {
    if (calls === 3) remove();
  });
  const steps = Array.from({ length: 5 }, () => ({ tool_calls: [says("a")] }));
  const { agent } = agentOf([...steps, { text: "ok" }], { store, hooks });
  await agent.run("Go.");
  await agent.close();
  const items = (await store.activity(agent.agent_id)).flatMap(({ item }) =>
    item !== undefined && "said_nothing" in item ? [item.said_nothing] : [],
  );
  const all = ["first", "second", "third"];
  expect(items).toEqual([all, all, all, ["third"], ["third"]]);
});

it("the activity of a subagent has the runs on its events, and none without a subagent", async () => {
  const store = memoryStore();
  const hooks = createHooks();
  hooks.on("SubagentStart", { name: "start" }, ({ task }) => (task === "no" ? deny("No.") : undefined));
  hooks.on("SubagentStop", { name: "stop" }, () => undefined);
  const task = (text: string) => ({
    name: "Task",
    input: { agent_type: "general-purpose", task: text, description: "d" },
  });
  const { agent } = agentOf([{ tool_calls: [task("no"), task("yes")] }, { text: "child" }, { text: "ok" }], {
    store,
    hooks,
    tools: defaultTools(),
  });
  await agent.run("Go.");
  await agent.close();
  const { transcripts } = await store.list({ session_id: agent.session_id });
  const child = transcripts.find(({ agent_id }) => agent_id !== agent.agent_id)?.agent_id ?? "";
  const names = async (id: string) =>
    (await store.activity(id)).flatMap(({ item }) =>
      item !== undefined && "hook_event_name" in item ? [item.hook_event_name] : [],
    );
  expect([transcripts.length, await names(agent.agent_id), await names(child)]).toEqual([
    2,
    ["SubagentStart", "SubagentStart"],
    ["SubagentStop"],
  ]);
});

it("the activity grows with the conversation, not with its square", async () => {
  const sizeOf = async (rounds: number) => {
    const hooks = createHooks();
    hooks.on("PreIteration", ({ messages = [] }) => [rewrite({ messages }), context("Go on.")]);
    const store = memoryStore();
    const steps = Array.from({ length: rounds }, () => ({ tool_calls: [says("x".repeat(100))] }));
    const { agent } = agentOf([...steps, { text: "ok" }], { store, hooks });
    await agent.run("Go.");
    return JSON.stringify(await store.activity(agent.agent_id)).length;
  };
  expect((await sizeOf(80)) / (await sizeOf(40))).toBeLessThan(2.1);
});

it("secrets are taken out of it", async () => {
  const folder = scratch();
  const secret = "sk-verysecretvalue-1234567890abcd";
  const store = jsonlStore({ dir: folder, environment: {} });
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "guard" }, () => deny(`The key is ${secret}.`));
  const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "ok" }], { store, hooks });
  await agent.run("Go.");
  await agent.close();
  await store.close();
  const file = readdirSync(join(folder, "sessions")).find((name) => name.endsWith(".jsonl")) ?? "";
  const lines = readFileSync(join(folder, "sessions", file), "utf8").split("\n");
  const items = lines.filter((line) => line.includes('"item":'));
  expect(items.filter((line) => line.includes("[redacted]"))).toHaveLength(2);
  expect(items.filter((line) => line.includes(secret))).toEqual([]);
});

it("is written together with the next message, or soon when that takes its time", async () => {
  const log: string[] = [];
  let seen = (): void => {};
  const recorded = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const store: AgentStore = {
    append: ({ role }) => void log.push(role),
    record: (entry: ActivityEntry) => {
      log.push(entry.type === "hook_runs" ? entry.hook_event_name : entry.type);
      if (log.at(-1) === "PreToolUse") seen();
    },
  };
  const hooks = createHooks();
  for (const event of ["PreToolUse", "PreIteration", "PostIteration"] as const)
    hooks.on(event, () => undefined);
  const patient = { ...echo, name: "Wait", run: async () => recorded.then(() => ({ content: "seen" })) };
  const { agent } = agentOf([{ tool_calls: [says("a", "Wait")] }, { text: "ok" }], {
    store,
    hooks,
    tools: [patient],
  });
  const { text } = await agent.run("Go.");
  const early = ["user", "PreIteration", "assistant", "PreToolUse", "tool", "PostIteration", "PreIteration"];
  expect([text, log]).toEqual(["ok", [...early, "assistant", "PostIteration", "checkpoint"]]);
});

it("a store that can't record is reported and stops nothing", async () => {
  const store: AgentStore = {
    append: () => {},
    record: () => {
      throw new Error("The disk is full.");
    },
  };
  const hooks = createHooks();
  hooks.on("Stop", () => undefined);
  const { agent } = agentOf([{ text: "ok" }], { store, hooks });
  const errors: unknown[] = [];
  const result = await agent.run("Go.", {
    onItem: (item) => {
      if (item.type === "error") errors.push([item.error_type, item.message]);
    },
  });
  expect([result.stop_reason, errors]).toEqual(["complete", [["store_failed", "The disk is full."]]]);
});
