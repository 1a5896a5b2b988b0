import { answer, ask, createHooks, rewrite } from "tenterhook";
import { Agent, type AgentOptions, defaultTools, scriptedModel } from "tenterhook/agent";
import { memoryStore, type Transcript } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { checkAnswer } from "../../src/agent/run/session/answers.ts";
import { callOfSuspended } from "../../src/monitor/own-agent/questions.ts";
import { agentOf, counting, reply, says, story } from "./support/agents.ts";

const asks = { check: () => ({ action: "ask" }) as const };
const question = { name: "AskUserQuestion", input: { questions: [{ question: "Colour?" }] }, id: "q" };

/** Brings an answer to what an agent waits for, as another process would. */
async function answered(
  id: string,
  answers: unknown,
  options: Partial<AgentOptions>,
  steps: Parameters<typeof scriptedModel>[0] = [{ text: "Done." }],
) {
  const agent = await Agent.resume(id, { ...options, model: scriptedModel(steps) });
  const { stop_reason, waiting_for } = await agent.continue(reply(agent, answers));
  await agent.close();
  return { stop_reason, waiting_for, story: story(agent.transcript()) };
}

it("two calls of one message are approved one after the other, and each runs once", async () => {
  const [a, b] = [counting("A"), counting("B")];
  const store = memoryStore();
  const options = { store, tools: [a.tool, b.tool], permissions: asks, suspend: true };
  const { agent } = agentOf([{ tool_calls: [says("a", "A"), says("b", "B")] }], options);
  expect(await agent.run("Go.")).toMatchObject({ waiting_for: { tool_name: "A" } });
  await agent.close();
  const first = await answered(agent.agent_id, true, options);
  expect([first, a.ran, b.ran]).toMatchObject([{ waiting_for: { tool_name: "B" } }, [], []]);
  const second = await answered(agent.agent_id, "no", options);
  expect([second.stop_reason, a.ran, b.ran]).toEqual(["complete", ["a"], []]);
  expect(second.story.slice(-3)).toEqual([
    "tool answers: a",
    "tool fails: The user refused this call.",
    "assistant text: Done.",
  ]);
});

it("an approval counts for the call that was shown, and not for what a hook makes of it later", async () => {
  const { tool, ran } = counting("Do");
  const hooks = createHooks();
  let file = 1;
  hooks.on("PreToolUse", () => rewrite({ text: `rm ${file}` }));
  const options = { store: memoryStore(), hooks, tools: [tool], permissions: asks, suspend: true };
  const { agent } = agentOf([{ tool_calls: [says("x", "Do")] }], options);
  expect(await agent.run("Go.")).toMatchObject({ waiting_for: { tool_input: { text: "rm 1" } } });
  await agent.close();
  file = 2;
  expect(await answered(agent.agent_id, true, options)).toMatchObject({
    stop_reason: "suspended",
    waiting_for: { tool_input: { text: "rm 2" } },
  });
  expect([(await answered(agent.agent_id, true, options)).stop_reason, ran]).toEqual(["complete", ["rm 2"]]);
});

it("an approval is spent when its call has a result: another call with the same id is asked about", async () => {
  const { tool, ran } = counting("Do");
  const options = { store: memoryStore(), tools: [tool], permissions: asks, suspend: true };
  const call = { tool_calls: [{ ...says("x", "Do"), id: "c" }] };
  const { agent } = agentOf([call], options);
  await agent.run("Go.");
  await agent.close();
  const { stop_reason } = await answered(agent.agent_id, true, options, [call]);
  expect([stop_reason, ran]).toEqual(["suspended", ["x"]]);
});

it("an answer to a subagent's call counts for no other agent whose call has the same id", () => {
  const permission = { type: "permission", tool_use_id: "c", tool_name: "Do", tool_input: {} } as const;
  const below = { type: "subagent", tool_use_id: "t", tool_name: "Task", agent_id: "b" } as const;
  const waiting = { ...below, waiting_for: permission, not_started: [] };
  const answer = { tool_use_id: "c", approval: true } as const;
  expect(callOfSuspended(waiting)).toEqual({ tool_use_id: "c", subagent_id: "b" });
  expect(checkAnswer(waiting, { ...answer, subagent_id: "b" })).toBeDefined();
  expect(() => checkAnswer(waiting, { ...answer, subagent_id: "a" })).toThrow("another agent waits");
  expect(() => checkAnswer({ ...permission, not_started: [] }, { ...answer, subagent_id: "b" })).toThrow(
    "another agent waits",
  );
});

describe("a call that needs a permission and then asks something itself", () => {
  const guarded = (name: string) => {
    const hooks = createHooks();
    hooks.on("PreToolUse", ({ tool_name }) => (tool_name === name ? ask("sure?") : undefined));
    return { store: memoryStore(), hooks, tools: defaultTools(), suspend: true };
  };

  it("a question is answered after it was permitted", async () => {
    const options = guarded("AskUserQuestion");
    const { agent } = agentOf([{ tool_calls: [question] }], options);
    expect(await agent.run("Go.")).toMatchObject({ waiting_for: { type: "permission" } });
    await agent.close();
    expect(await answered(agent.agent_id, true, options)).toMatchObject({
      waiting_for: { type: "question" },
    });
    const { story: lines } = await answered(agent.agent_id, "blue", options);
    expect(lines.at(-2)).toBe("tool answers: The user answered:\n\nColour?\nblue");
  });

  it("a subagent's question is answered after the subagent was permitted", async () => {
    const options = guarded("Task");
    const input = { agent_type: "general-purpose", task: "t", description: "d" };
    const { agent } = agentOf([{ tool_calls: [{ name: "Task", input, id: "t" }] }], options);
    expect(await agent.run("Go.")).toMatchObject({ waiting_for: { type: "permission" } });
    await agent.close();
    const asked = await answered(agent.agent_id, true, options, [{ tool_calls: [question] }]);
    expect(asked).toMatchObject({ waiting_for: { type: "subagent", waiting_for: { type: "question" } } });
    const { story: lines } = await answered(agent.agent_id, "blue", options, [
      { text: "Blue it is." },
      { text: "Done." },
    ]);
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^tool answers: Blue it is\./),
      "assistant text: Done.",
    ]);
  });
});

it("the human's answer counts, whatever a hook would have answered", async () => {
  const { tool, ran } = counting("Do");
  const options = { store: memoryStore(), tools: [tool], permissions: asks, suspend: true };
  const { agent } = agentOf([{ tool_calls: [says("x", "Do")] }], options);
  await agent.run("Go.");
  await agent.close();
  const hooks = createHooks();
  const prompts: unknown[] = [];
  hooks.on("AgentPrompt", ({ prompt_type }) => {
    prompts.push(prompt_type);
    return answer("no");
  });
  await answered(agent.agent_id, true, { ...options, hooks });
  expect([ran, prompts]).toEqual([["x"], []]);
});

describe("an answer that was given is kept until its call has a result", () => {
  /** What is stored at a moment of a continued turn, when the process is killed there. */
  async function storedAt(event: "Resume" | "PostToolUse" | "PreGeneration") {
    const { tool, ran } = counting("Do");
    const store = memoryStore();
    const hooks = createHooks();
    const options = { store, hooks, tools: [tool], permissions: asks, suspend: true };
    const { agent } = agentOf([{ tool_calls: [says("x", "Do")] }], options);
    await agent.run("Go.");
    await agent.close();
    let stored: Transcript | undefined;
    hooks.on(event, async () => {
      stored = structuredClone(await store.load(agent.agent_id));
    });
    await answered(agent.agent_id, true, options);
    if (stored === undefined) throw new Error(`${event} was not heard.`);
    const again = { ...options, store: memoryStore(), hooks: createHooks() };
    const resumed = await Agent.resume(stored, { ...again, model: scriptedModel([{ text: "Done." }]) });
    const { waiting_for } = resumed;
    const { stop_reason } = await resumed.continue();
    await resumed.close();
    return { stored, ran, waiting_for, stop_reason, lines: story(resumed.transcript()) };
  }

  it("a process that is killed before the call began leaves the answer to the next", async () => {
    const { stored, ran, stop_reason } = await storedAt("Resume");
    expect(stored.metadata).toMatchObject({
      status: "running",
      waiting_for: {
        type: "permission",
        not_started: [expect.any(String)],
        answers: [{ answer: { allow: true } }],
      },
    });
    expect([stop_reason, ran]).toEqual(["complete", ["x", "x"]]);
  });

  it("a call that had begun does not run again", async () => {
    const { ran, lines, waiting_for } = await storedAt("PostToolUse");
    expect([ran, waiting_for]).toEqual([["x"], undefined]);
    expect(lines.at(-2)).toMatch(/^tool fails: The outcome of this call is unknown/);
  });

  it("nothing is waited for any more once it has a result", async () => {
    const { stored, ran } = await storedAt("PreGeneration");
    expect([stored.metadata.status, stored.metadata.waiting_for, ran]).toEqual(["running", undefined, ["x"]]);
  });
});

describe("calls that waited beside one which was approved", () => {
  /** What is stored when the process is killed while the first of two calls runs. */
  async function storedInFirst() {
    const store = memoryStore();
    let stored: Transcript | undefined;
    const slow = counting("Slow");
    const tool = {
      ...slow.tool,
      run: async () => {
        stored = structuredClone(await store.load(agent.agent_id));
        return { content: "done" };
      },
    };
    const quick = counting("Quick");
    const permissions = {
      check: ({ tool_name }: { tool_name: string }) =>
        ({ action: tool_name === "Slow" ? "ask" : "allow" }) as const,
    };
    const options = { store, tools: [tool, quick.tool], permissions, suspend: true };
    const { agent } = agentOf([{ tool_calls: [says("s", "Slow"), says("q", "Quick")] }], options);
    await agent.run("Go.");
    await agent.close();
    await answered(agent.agent_id, true, options);
    if (stored === undefined) throw new Error("Slow did not run.");
    return { stored, options: { tools: [slow.tool, quick.tool], permissions }, quick };
  }

  const unknown = expect.stringMatching(/^tool fails: The outcome of this call is unknown/);

  it("run when the process was killed before they began, and the model hears no less", async () => {
    const { stored, options, quick } = await storedInFirst();
    quick.ran.length = 0;
    const resumed = await Agent.resume(stored, { ...options, model: scriptedModel([{ text: "Done." }]) });
    expect([resumed.waiting_for, resumed.unfinished]).toEqual([undefined, true]);
    await resumed.continue();
    await resumed.close();
    expect([quick.ran, story(resumed.transcript()).slice(-3)]).toEqual([
      ["q"],
      [unknown, "tool answers: q", "assistant text: Done."],
    ]);
  });

  it("run also when the process that continued was killed before they began, and not again once they have", async () => {
    const { stored, options, quick } = await storedInFirst();
    quick.ran.length = 0;
    const hooks = createHooks();
    const store = memoryStore();
    const model = scriptedModel([{ text: "Done." }]);
    const second = await Agent.resume(stored, { ...options, hooks, store, model });
    const moments: (Transcript | undefined)[] = [];
    hooks.on(["PreToolUse", "PostToolUse", "PreGeneration"], async () => {
      moments.push(structuredClone(await store.load(second.agent_id)));
    });
    await second.continue();
    await second.close();
    const ends: unknown[] = [];
    for (const moment of moments) {
      if (moment === undefined) throw new Error("Nothing was kept.");
      quick.ran.length = 0;
      const third = await Agent.resume(moment, { ...options, model: scriptedModel([{ text: "Done." }]) });
      expect(third.waiting_for).toBeUndefined();
      await third.continue();
      await third.close();
      ends.push([[...quick.ran], story(third.transcript()).at(-2)]);
    }
    expect(ends).toEqual([
      [["q"], "tool answers: q"],
      [[], unknown],
      [[], "tool answers: q"],
    ]);
    expect((await store.load(second.agent_id))?.metadata).not.toHaveProperty("waiting_for");
  });
});
