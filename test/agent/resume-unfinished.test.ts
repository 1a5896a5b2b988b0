import { ask, createHooks, deny } from "tenterhook";
import { Agent, type AskApproval, defaultTools, scriptedModel } from "tenterhook/agent";
import { memoryStore, type Transcript } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, counting, reply, says, story } from "./support/agents.ts";

const asks = { check: () => ({ action: "ask" }) as const };
const question = { name: "AskUserQuestion", input: { questions: [{ question: "Colour?" }] } };

describe("a prompt whose process was killed before it was a message", () => {
  /** What is stored at the first UserPromptSubmit, or whatever event, after some prompts. */
  async function storedBefore(prompt: string, ...earlier: readonly string[]) {
    return storedAt("UserPromptSubmit", prompt, earlier);
  }

  async function storedAt(
    event: "UserPromptSubmit" | "SessionStart",
    prompt: string,
    earlier: readonly string[],
  ) {
    const store = memoryStore();
    const { agent, hooks } = agentOf([{ text: "One." }, { text: "Two." }], { store });
    for (const words of earlier) await agent.run(words);
    let stored: Transcript | undefined;
    hooks.on(event, async () => {
      stored = structuredClone(await store.load(agent.agent_id));
    });
    await agent.run(prompt);
    await agent.close();
    if (stored === undefined) throw new Error("Nothing was kept.");
    const again = memoryStore();
    const resumed = await Agent.resume(stored, { model: scriptedModel([{ text: "Here." }]), store: again });
    return { resumed, store: again, stored, agent };
  }

  it.each([[[]], [["First?"]]])("is worked on by whoever goes on, after %j", async (earlier) => {
    const { resumed, store, stored, agent } = await storedBefore("Now?", ...earlier);
    expect([stored.metadata.status, stored.messages.length, resumed.unfinished]).toEqual([
      "running",
      2 * earlier.length,
      true,
    ]);
    expect(await resumed.continue()).toMatchObject({ text: "Here.", stop_reason: "complete" });
    await resumed.close();
    expect(story(resumed.transcript()).slice(-2)).toEqual(["user text: Now?", "assistant text: Here."]);
    expect(resumed.transcript().at(-1)?.turn_id).toBe(agent.transcript().at(-1)?.turn_id);
    expect((await store.load(agent.agent_id))?.metadata).not.toHaveProperty("unheard");
  });

  it("is worked on also when hooks still heard of the session's start", async () => {
    const { resumed, stored, agent } = await storedAt("SessionStart", "Now?", []);
    expect([stored.metadata.status, stored.metadata.title, stored.messages, resumed.unfinished]).toEqual([
      "running",
      "Now?",
      [],
      true,
    ]);
    expect(await resumed.continue()).toMatchObject({ text: "Here.", stop_reason: "complete" });
    await resumed.close();
    expect(story(resumed.transcript())).toEqual(["user text: Now?", "assistant text: Here."]);
    expect(resumed.transcript()[0]?.turn_id).toBe(agent.transcript()[0]?.turn_id);
  });

  it("is not the one that was given before, when a resumed agent gets another prompt", async () => {
    const { stored } = await storedBefore("Now?");
    const hooks = createHooks();
    const store = memoryStore();
    const model = scriptedModel([{ text: "Here." }]);
    const resumed = await Agent.resume(stored, { model, hooks, store });
    let given: unknown;
    hooks.on("SessionStart", async () => {
      given = (await store.load(resumed.agent_id))?.metadata.unheard;
    });
    await resumed.run("Later.");
    await resumed.close();
    const [{ turn_id = "" } = {}] = resumed.transcript();
    expect(given).toEqual({ turn_id, input: { type: "prompt", text: "Later." } });
  });

  it("a prompt that never became a message gives way to another one", async () => {
    const { resumed } = await storedBefore("Now?");
    await resumed.run("Later.");
    await resumed.close();
    expect([story(resumed.transcript()), resumed.unfinished]).toEqual([
      ["user text: Later.", "assistant text: Here."],
      false,
    ]);
  });

  it("is told to hooks again, which may still refuse it", async () => {
    const { stored } = await storedBefore("Now?");
    const hooks = createHooks();
    hooks.on("UserPromptSubmit", ({ prompt }) => deny(`not ${prompt}`));
    const { metadata } = stored;
    const refused = new Agent({
      model: scriptedModel([]),
      hooks,
      session: { resume: { metadata, messages: [] } },
    });
    expect(await refused.continue()).toMatchObject({ stop_reason: "denied", text: "not Now?" });
    await refused.close();
  });
});

it("an agent that waits for a human waits still when a hook refuses what it is told instead", async () => {
  const { tool, ran } = counting("Do");
  const store = memoryStore();
  const options = { store, tools: [tool], permissions: asks, suspend: true };
  const { agent, hooks } = agentOf([{ tool_calls: [says("x", "Do")] }, { text: "Done." }], options);
  await agent.run("Go.");
  hooks.on("UserPromptSubmit", () => deny("not now"));
  expect((await agent.run("Something else.")).stop_reason).toBe("denied");
  const { metadata } = (await store.load(agent.agent_id)) ?? {};
  expect(metadata).toMatchObject({ status: "suspended", waiting_for: { tool_name: "Do" } });
  expect([(await agent.continue(reply(agent, true))).text, ran]).toEqual(["Done.", ["x"]]);
});

describe("an agent whose process is killed while a human is asked", () => {
  /** What a killed process leaves: the store as it is while `approval` waits for the call with this text. */
  async function killedAt(text: string, calls: readonly string[], run: Parameters<typeof agentOf>[1] = {}) {
    const { tool, ran } = counting("Do");
    const store = memoryStore();
    let stored: Transcript | undefined;
    const approval: AskApproval = async ({ tool_input }) => {
      if (tool_input?.text === text) stored ??= structuredClone(await store.load(agent.agent_id));
      return true;
    };
    const options = { tools: [tool], permissions: asks, approval, ...run };
    const script = [{ tool_calls: calls.map((each) => says(each, "Do")) }, { text: "Done." }];
    const { agent } = agentOf(script, { ...options, store });
    await agent.run("Go.");
    await agent.close();
    if (stored === undefined) throw new Error("Nobody was asked.");
    ran.length = 0;
    return { stored, ran, options, left: (await store.load(agent.agent_id))?.metadata };
  }

  it.each([
    ["x", ["x"]],
    ["b", ["a", "b", "c"]],
  ])("asks again about %s of %j, and the model is told of no call that may have run", async (text, calls) => {
    const { stored, ran, options, left } = await killedAt(text, calls);
    expect(left).not.toHaveProperty("waiting_for");
    const asked: unknown[] = [];
    const approval: AskApproval = ({ tool_input }) => {
      asked.push(tool_input?.text);
      return true;
    };
    const resumed = await Agent.resume(stored, {
      ...options,
      approval,
      store: memoryStore(),
      model: scriptedModel([{ text: "Done." }]),
    });
    expect(resumed.waiting_for).toMatchObject({ type: "permission", tool_input: { text } });
    expect((await resumed.continue()).stop_reason).toBe("complete");
    await resumed.close();
    expect([asked, ran]).toEqual([calls, calls]);
    expect(story(resumed.transcript()).join()).not.toContain("outcome");
  });

  it("can be answered without asking again, by a process where nobody sits", async () => {
    const { stored, ran, options } = await killedAt("x", ["x"]);
    const { approval: _, ...others } = options;
    const model = scriptedModel([{ text: "Done." }]);
    const resumed = await Agent.resume(stored, { ...others, suspend: true, store: memoryStore(), model });
    expect((await resumed.continue(reply(resumed, true))).text).toBe("Done.");
    await resumed.close();
    expect(ran).toEqual(["x"]);
  });

  it("does not run a call again that had begun after the yes", async () => {
    const store = memoryStore();
    let stored: Transcript | undefined;
    const { tool } = counting("Do");
    const begun = {
      ...tool,
      run: async () => {
        stored ??= structuredClone(await store.load(agent.agent_id));
        return { content: "did" };
      },
    };
    const options = { tools: [begun], permissions: asks, approval: () => true, store };
    const calls = { tool_calls: [says("x", "Do"), says("y", "Do")] };
    const { agent } = agentOf([calls, { text: "Done." }], options);
    await agent.run("Go.");
    await agent.close();
    if (stored === undefined) throw new Error("Nothing ran.");
    const model = scriptedModel([{ text: "Done." }]);
    const resumed = await Agent.resume(stored, { ...options, store: memoryStore(), model });
    await resumed.continue();
    await resumed.close();
    expect(story(resumed.transcript()).slice(3, 5)).toEqual([
      expect.stringContaining("The outcome of this call is unknown"),
      "tool answers: did",
    ]);
  });

  it("asks again which option of a hook to take", async () => {
    const { tool, ran } = counting("Do");
    const store = memoryStore();
    const hooks = createHooks();
    hooks.on("PreToolUse", () => ask("Where?", { options: ["Here", "Nowhere"] }));
    let stored: Transcript | undefined;
    const askUser = async () => {
      stored ??= structuredClone(await store.load(agent.agent_id));
      return { "Where?": "Here" };
    };
    const options = { tools: [tool], hooks, askUser };
    const { agent } = agentOf([{ tool_calls: [says("x", "Do")] }, { text: "Done." }], { ...options, store });
    await agent.run("Go.");
    await agent.close();
    if (stored === undefined) throw new Error("Nobody was asked.");
    ran.length = 0;
    const model = scriptedModel([{ text: "Done." }]);
    const resumed = await Agent.resume(stored, { ...options, store: memoryStore(), model });
    expect(resumed.waiting_for).toMatchObject({ type: "question", tool_name: "Do" });
    await resumed.continue();
    await resumed.close();
    expect(story(resumed.transcript()).join()).not.toContain("outcome");
  });
});

describe("a fork of an agent that has not come to its end", () => {
  it("waits for what that waits for, and both can be answered", async () => {
    const { tool, ran } = counting("Do");
    const options = { store: memoryStore(), tools: [tool], permissions: asks, suspend: true };
    const { agent } = agentOf([{ tool_calls: [says("x", "Do")] }], options);
    const { waiting_for } = await agent.run("Go.");
    await agent.close();
    const done = { ...options, model: scriptedModel([{ text: "Done." }, { text: "Done." }]) };
    const fork = await Agent.fork(agent.agent_id, done);
    expect([fork.waiting_for, fork.unfinished]).toEqual([waiting_for, true]);
    expect((await fork.continue(reply(fork, true))).text).toBe("Done.");
    await fork.close();
    const again = await Agent.resume(agent.agent_id, done);
    expect((await again.continue(reply(again, true))).text).toBe("Done.");
    await again.close();
    expect(ran).toEqual(["x", "x"]);
  });

  it("does not wait for a subagent of the original: it starts its own", async () => {
    const input = { agent_type: "general-purpose", task: "t", description: "d" };
    const options = { store: memoryStore(), tools: defaultTools(), suspend: true };
    const task = { tool_calls: [{ name: "Task", input }] };
    const { agent } = agentOf([task, { tool_calls: [question] }], options);
    await agent.run("Go.");
    await agent.close();
    const steps = [{ tool_calls: [question] }];
    const fork = await Agent.fork(agent.agent_id, { ...options, model: scriptedModel(steps) });
    expect([fork.waiting_for, fork.unfinished]).toEqual([undefined, true]);
    expect(await fork.continue()).toMatchObject({ waiting_for: { type: "subagent" } });
    await fork.close();
    const rest = scriptedModel([{ text: "Child." }, { text: "Done." }]);
    const again = await Agent.resume(fork.agent_id, { ...options, model: rest });
    expect(again.waiting_for).toMatchObject({ type: "subagent" });
    expect((await again.continue(reply(again, "blue"))).text).toBe("Done.");
    await again.close();
  });
});

it("going on with what has ended changes nothing: an error stays one", async () => {
  const store = memoryStore();
  const options = { store, limits: { model_retries: 0 } };
  const { agent } = agentOf([{ error: { status: 400, message: "boom" } }], options);
  const { error } = await agent.run("Go.");
  await agent.close();
  const before = await store.load(agent.agent_id);
  const again = await Agent.resume(agent.agent_id, { ...options, model: scriptedModel([]) });
  expect(await again.continue()).toMatchObject({ stop_reason: "error", error });
  await again.close();
  const { metadata, messages } = (await store.load(agent.agent_id)) ?? {};
  expect([metadata?.status, metadata, messages]).toEqual(["error", before?.metadata, before?.messages]);
});

it("reading what is kept can be given up", async () => {
  const store = memoryStore();
  const { agent } = agentOf([{ text: "One." }], { store });
  await agent.run("Go.");
  const options = { store, model: scriptedModel([]), signal: AbortSignal.abort(new Error("enough")) };
  await expect(Agent.resume(agent.agent_id, options)).rejects.toThrow("enough");
  await expect(Agent.fork(agent.agent_id, options)).rejects.toThrow("enough");
});

it("a turn that a hook's text started is one still when it goes on", async () => {
  const hooks = createHooks();
  const ends: unknown[] = [];
  hooks.on("TurnEnd", ({ is_hook_input_turn }) => {
    ends.push(is_hook_input_turn);
  });
  const options = { store: memoryStore(), hooks, tools: defaultTools(), suspend: true };
  const { agent } = agentOf([{ tool_calls: [question] }], options);
  await agent.submitHookInput({ hook: "h", text: "Look." });
  await agent.close();
  const again = await Agent.resume(agent.agent_id, { ...options, model: scriptedModel([{ text: "Done." }]) });
  await again.continue(reply(again, "blue"));
  await again.close();
  expect(ends).toEqual([true]);
});
