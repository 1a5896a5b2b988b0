import { ask, createHooks, deny, rewrite } from "tenterhook";
import { Agent, type AgentItem, scriptedModel, type Tool } from "tenterhook/agent";
import { memoryStore, type Transcript } from "tenterhook/stores";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentOf, echo, says, scratch, story } from "./support/agents.ts";

it("what an agent has used survives a kill in the middle of a run", async () => {
  const store = memoryStore();
  const snapshots: { killed?: Transcript | undefined } = {};
  const spy: Tool = {
    ...echo,
    run: async ({ text }) => {
      snapshots.killed = structuredClone(await store.load(agent.agent_id));
      return { content: String(text) };
    },
  };
  const { agent } = agentOf([{ text: "First." }, { tool_calls: [says("a")] }, { tool_calls: [says("b")] }], {
    store,
    tools: [spy],
  });
  await agent.run("One.");
  const { total_tokens: first = 0 } = agent.usage;
  await agent.run("Two.");
  const resumed = await Agent.resume(snapshots.killed ?? Object({}), {
    model: scriptedModel([]),
    store: memoryStore(),
  });
  onTestFinished(() => resumed.close());
  const { total_tokens = 0 } = resumed.usage;
  expect(first).toBeGreaterThan(0);
  expect(total_tokens).toBeGreaterThan(first);
  expect(total_tokens).toBeLessThan(agent.usage.total_tokens ?? 0);
});

describe("another model on resume and fork", () => {
  const named = (modelId: string) => ({ ...scriptedModel([{ text: "Hi." }]), modelId });

  async function stored() {
    const store = memoryStore();
    const { agent } = agentOf([{ text: "One." }], { store });
    await agent.run("Go.");
    await agent.close();
    return { store, id: agent.agent_id };
  }

  it.each(["resume", "fork"] as const)("fires ModelSwitch on %s, and hooks can refuse", async (how) => {
    const { store, id } = await stored();
    const seen: unknown[] = [];
    const hooks = createHooks();
    hooks.on("ModelSwitch", ({ old_model, new_model, triggered_by }) => {
      seen.push([old_model, new_model, triggered_by]);
      return seen.length > 1 ? deny("Not that one.") : undefined;
    });
    const open = (name: string) => Agent[how](id, { model: named(name), store, hooks });
    const first = await open("other");
    expect(await first.run("Again.")).toMatchObject({ text: "Hi." });
    await first.close();
    const second = await open("third");
    await expect(second.run("Again.")).rejects.toMatchObject({
      code: "model_switch_denied",
      message: "Not that one.",
    });
    await second.close();
    expect(seen).toEqual([
      ["scripted/script", "scripted/other", "user"],
      [how === "resume" ? "scripted/other" : "scripted/script", "scripted/third", "user"],
    ]);
  });

  it("does not fire for the same model", async () => {
    const { store, id } = await stored();
    const hooks = createHooks();
    let fired = 0;
    hooks.on("ModelSwitch", () => {
      fired += 1;
    });
    const again = await Agent.resume(id, { model: scriptedModel([{ text: "Hi." }]), store, hooks });
    await again.run("Again.");
    await again.close();
    expect(fired).toBe(0);
  });
});

describe("what a hook removes from a result", () => {
  const leaky: Tool = {
    ...echo,
    name: "Leaky",
    run: async (_, { progress }) => {
      progress("hunter2\n");
      return { content: "the password is hunter2" };
    },
  };

  it("never reaches listeners: not in results, progress, runs of hooks or messages", async () => {
    const hooks = createHooks();
    hooks.on("PostToolUse", { name: "first" }, () => rewrite("hunter2 again"));
    hooks.on("PostToolUse", { name: "redact" }, () => rewrite("the password is [redacted]"));
    const items: AgentItem[] = [];
    const { agent } = agentOf([{ tool_calls: [says("x", "Leaky")] }, { text: "Done." }], {
      hooks,
      tools: [leaky],
    });
    await agent.run("Go.", { onItem: (item) => items.push(item) });
    const seen = JSON.stringify(items);
    expect(seen).toContain("[redacted]");
    expect(seen).not.toContain("hunter2");
  });

  it("progress is shown where no hook could rewrite the result", async () => {
    const hooks = createHooks();
    hooks.on("PostToolUse", { tools: ["Edit"] }, () => rewrite("x"));
    hooks.on("PostToolUse", { observe: true }, () => undefined);
    const items: AgentItem[] = [];
    const { agent } = agentOf([{ tool_calls: [says("x", "Leaky")] }, { text: "Done." }], {
      hooks,
      tools: [leaky],
    });
    await agent.run("Go.", { onItem: (item) => items.push(item) });
    expect(items.filter(({ type }) => type === "tool_progress")).toHaveLength(1);
  });
});

it("rewrite(null) on PostToolUse restores the original result", async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on("PostToolUse", { name: "change", priority: 1 }, () => rewrite("changed"));
  hooks.on("PostToolUse", { name: "undo", priority: 2 }, () => rewrite(null));
  hooks.on("PostToolUse", { name: "see", priority: 3 }, ({ tool_response }) => {
    seen.push(tool_response);
  });
  const { agent } = agentOf([{ tool_calls: [says("original")] }, { text: "Done." }], { hooks });
  await agent.run("Go.");
  expect([seen, story(agent.transcript())[2]]).toEqual([["original"], "tool answers: original"]);
  const result = await hooks.toolCall({
    cwd: scratch(),
    tool_name: "X",
    tool_input: {},
    execute: () => ({ whole: true }),
  });
  expect(result).toEqual({ whole: true });
});

it("output_messages of Stop has what the agent said and did, and no message of a user", async () => {
  const hooks = createHooks();
  const roles: unknown[] = [];
  hooks.on("Stop", ({ output_messages = [] }) => {
    roles.push(output_messages.map(({ role }) => role));
  });
  const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "Done." }], { hooks });
  await agent.run("Go.");
  expect(roles).toEqual([["assistant", "tool", "assistant"]]);
});

it("a cancelled run says why, in the result and in the transcript", async () => {
  const slow: Tool = { ...echo, name: "Slow", run: () => new Promise(() => {}) };
  const { agent } = agentOf([{ tool_calls: [says("a", "Slow")] }], { tools: [slow] });
  const running = agent.run("Go.", {
    onItem: ({ type }) => {
      if (type === "tool_call") setTimeout(() => agent.interrupt("The budget is used up."), 5);
    },
  });
  expect(await running).toMatchObject({ stop_reason: "cancelled", reason: "The budget is used up." });
  expect(story(agent.transcript()).at(-1)).toBe("assistant text: [Interrupted: The budget is used up.]");
});

it("a run that a hook ended or refused says why too", async () => {
  const hooks = createHooks();
  hooks.on("UserPromptSubmit", ({ prompt }) => (prompt === "a" ? deny("Not a.") : undefined));
  hooks.on("PreToolUse", () => ask());
  const { agent } = agentOf([], { hooks });
  expect(await agent.run("a")).toMatchObject({ stop_reason: "denied", reason: "Not a." });
});
