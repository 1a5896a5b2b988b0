import { createHooks, keepGoing } from "tenterhook";
import { Agent, type AgentOptions, type StopReason, scriptedModel } from "tenterhook/agent";
import { memoryStore, type TranscriptStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";

async function storedMessages(store: TranscriptStore, id: string): Promise<readonly unknown[]> {
  return (await store.load(id))?.messages ?? [];
}

describe("whatever ends a run, its transcript is kept whole, with a last word", () => {
  const call = { tool_calls: [says("a")] };
  const cases: readonly [StopReason, string, Parameters<typeof agentOf>[0], Partial<AgentOptions>][] = [
    ["complete", "complete", [call, { text: "Done." }], {}],
    ["limit", "limit", [call, { text: "So far." }], { limits: { iterations: 1 } }],
    ["error", "error", [call, { error: { status: 400, message: "no" } }], { limits: { model_retries: 0 } }],
  ];

  it.each(cases)(
    "a run that ends in this way keeps its transcript whole: %s",
    async (stop_reason, status, steps, options) => {
      const store = memoryStore();
      const { agent } = agentOf(steps, { ...options, store });
      const result = await agent.run("Go.");
      const messages = await storedMessages(store, agent.agent_id);
      expect(result.stop_reason).toBe(stop_reason);
      expect(messages).toEqual(agent.transcript());
      expect(messages.at(-1)).toMatchObject({ role: "assistant" });
      const metadata = (await store.load(agent.agent_id))?.metadata;
      expect(metadata).toMatchObject({ status, title: "Go.", model: "scripted/script" });
      expect(metadata?.error?.message).toBe(result.error?.message);
    },
  );

  it("a run that is cancelled keeps its transcript whole", async () => {
    const store = memoryStore();
    const { agent } = agentOf([{ tool_calls: [says("a", "Wait")] }], {
      store,
      tools: [{ ...echo, name: "Wait", run: () => new Promise(() => {}) }],
    });
    const running = agent.run("Go.", {
      onItem: (item) => {
        if (item.type === "tool_call") setImmediate(() => agent.interrupt());
      },
    });
    expect((await running).stop_reason).toBe("cancelled");
    expect(await storedMessages(store, agent.agent_id)).toEqual(agent.transcript());
    expect(agent.transcript().at(-1)).toMatchObject({ role: "assistant", ended: "cancelled" });
    expect((await store.load(agent.agent_id))?.metadata.status).toBe("cancelled");
  });
});

it("a resumed agent goes on behind the final answer, with the same ids", async () => {
  const store = memoryStore();
  const sources: unknown[] = [];
  const hooks = createHooks();
  hooks.on("SessionStart", ({ source }) => {
    sources.push(source);
  });
  const { agent } = agentOf([{ text: "One." }], { store, hooks });
  await agent.run("First?");
  await agent.close();
  const again = await Agent.resume(agent.agent_id, {
    model: scriptedModel([{ text: "Two." }]),
    tools: [echo],
    store,
    hooks,
  });
  expect([again.agent_id, again.session_id, again.unfinished]).toEqual([
    agent.agent_id,
    agent.session_id,
    false,
  ]);
  await again.run("Second?");
  await again.close();
  expect(story(again.transcript())).toEqual([
    "user text: First?",
    "assistant text: One.",
    "user text: Second?",
    "assistant text: Two.",
  ]);
  expect(await storedMessages(store, agent.agent_id)).toEqual(again.transcript());
  expect(sources).toEqual(["startup", "resume"]);
});

describe("a transcript that was cut off in the middle of a turn", () => {
  const base = { turn_id: "t1", created_at: "2026-02-03T04:05:06.000Z" };
  const user = { ...base, id: "m1", role: "user", source: "user", parts: [{ type: "text", text: "Go." }] };
  const calls = (...names: string[]) => ({
    ...base,
    id: "m2",
    role: "assistant",
    model: "m",
    parts: names.map((tool_name, at) => ({
      type: "tool_call",
      tool_use_id: `c${at}`,
      tool_name,
      tool_input: { text: tool_name },
    })),
  });
  const owner = { session_id: "s1", agent_id: "s1" };

  async function resumed(messages: readonly { id: string }[], options: Partial<AgentOptions> = {}) {
    const store = memoryStore();
    for (const message of messages) await store.append(message, owner);
    const hooks = options.hooks ?? createHooks();
    const ran: string[] = [];
    const tool = (name: string) => ({
      ...echo,
      name,
      run: async () => {
        ran.push(name);
        return { content: name };
      },
    });
    const agent = await Agent.resume("s1", {
      model: scriptedModel([{ text: "Done." }]),
      tools: [{ ...tool("Safe"), replay: "safe" }, tool("Once")],
      store,
      ...options,
      hooks,
    });
    return { agent, store, ran };
  }

  it("is completed: safe calls run again through the gates, of others the outcome is unknown", async () => {
    const hooks = createHooks();
    const events: string[] = [];
    for (const name of ["Resume", "TurnStart", "AgentStart", "PreToolUse", "TurnEnd"] as const)
      hooks.on(name, () => {
        events.push(name);
      });
    const { agent, store, ran } = await resumed([user, calls("Safe", "Once")], { hooks });
    expect(agent.unfinished).toBe(true);
    const { text, iterations } = await agent.continue();
    await agent.close();
    expect([text, iterations, ran]).toEqual(["Done.", 2, ["Safe"]]);
    expect(events).toEqual(["Resume", "AgentStart", "PreToolUse", "TurnEnd"]);
    expect(story(agent.transcript())).toEqual([
      "user text: Go.",
      "assistant calls Safe",
      "assistant calls Once",
      expect.stringMatching(/^tool fails: The outcome of this call is unknown/),
      "tool answers: Safe",
      "assistant text: Done.",
    ]);
    expect(await storedMessages(store, "s1")).toEqual(agent.transcript());
    expect(agent.transcript().every(({ turn_id }) => turn_id === "t1")).toBe(true);
    expect((await store.load("s1"))?.metadata.status).toBe("complete");
  });

  it("gets a last word when the user says something else", async () => {
    const { agent, store, ran } = await resumed([user, calls("Safe")]);
    await agent.run("Never mind.");
    await agent.close();
    expect(ran).toEqual([]);
    expect(story(agent.transcript())).toEqual([
      "user text: Go.",
      "assistant calls Safe",
      "tool fails: The call did not run: the user wrote something else.",
      "assistant text: [The agent was stopped before it had answered.]",
      "user text: Never mind.",
      "assistant text: Done.",
    ]);
    expect(await storedMessages(store, "s1")).toEqual(agent.transcript());
  });

  it("asks Stop hooks when only they were left", async () => {
    const hooks = createHooks();
    hooks.on("Stop", ({ stop_hook_active }) => (stop_hook_active ? undefined : keepGoing("More.")));
    const answer = {
      ...base,
      id: "m2",
      role: "assistant",
      model: "m",
      parts: [{ type: "text", text: "So." }],
    };
    const { agent } = await resumed([user, answer], { hooks });
    const { text } = await agent.continue();
    await agent.close();
    expect(text).toBe("Done.");
    expect(story(agent.transcript())).toEqual([
      "user text: Go.",
      "assistant text: So.",
      "user text: More.",
      "assistant text: Done.",
    ]);
  });

  it("a transcript that was cut off in the middle of a turn is not continued twice", async () => {
    const { agent } = await resumed([user]);
    await agent.continue();
    const before = agent.transcript();
    expect(await agent.continue()).toMatchObject({ text: "Done.", stop_reason: "complete", iterations: 0 });
    await agent.close();
    expect(agent.transcript()).toEqual(before);
  });
});

it("a fork shares the turns up to one and is a session of its own", async () => {
  const store = memoryStore();
  const { agent } = agentOf([{ text: "One." }, { text: "Two." }], { store });
  await agent.run("First?");
  await agent.run("Second?");
  const sources: unknown[] = [];
  const hooks = createHooks();
  hooks.on("SessionStart", ({ source }) => {
    sources.push(source);
  });
  const model = scriptedModel([{ text: "Other." }]);
  const fork = await Agent.fork(agent.agent_id, { turn: 1, model, store, hooks });
  await fork.run("Another second?");
  await fork.close();
  expect(story(fork.transcript())).toEqual([
    "user text: First?",
    "assistant text: One.",
    "user text: Another second?",
    "assistant text: Other.",
  ]);
  expect(sources).toEqual(["fork"]);
  expect(await storedMessages(store, agent.agent_id)).toEqual(agent.transcript());
  await expect(Agent.fork(agent.agent_id, { turn: 3, model, store })).rejects.toMatchObject({
    code: "unknown_agent",
  });
});

it("what a session has used goes on with it, and a fork has used nothing", async () => {
  const store = memoryStore();
  const { agent } = agentOf([{ text: "x".repeat(400) }], { store });
  await agent.run("Go.");
  await agent.close();
  const before = agent.usage;
  const again = await Agent.resume(agent.agent_id, { store, model: scriptedModel([{ text: "ok" }]) });
  expect(again.usage).toEqual(before);
  const { usage } = await again.run("Again.");
  await again.close();
  const total = (before.total_tokens ?? 0) + (usage.total_tokens ?? 0);
  expect([again.usage.total_tokens, (await store.load(agent.agent_id))?.metadata.usage]).toEqual([
    total,
    again.usage,
  ]);
  const fork = await Agent.fork(agent.agent_id, { store, model: scriptedModel([]) });
  expect(fork.usage.total_tokens).toBe(0);
  await fork.close();
});

it.each([
  [
    `${"word ".repeat(14)}${["sk", "live", "0123456789abcdefghij"].join("-")} is the key`,
    `${"word ".repeat(14).trimEnd()}…`,
  ],
  [`Short, and no more\nthan a line`, "Short, and no more"],
  ["字".repeat(100), `${"字".repeat(79)}…`],
])("a title is the first line, and ends with a whole word where it can: %s", async (prompt, title) => {
  const store = memoryStore();
  const { agent } = agentOf([{ text: "ok" }], { store });
  await agent.run(prompt);
  expect((await store.load(agent.agent_id))?.metadata.title).toBe(title);
});
