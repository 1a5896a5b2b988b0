import { createHooks } from "tenterhook";
import { Agent, type AgentOptions, defaultTools, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, counting, echo, reply, says, story } from "./support/agents.ts";
import { both, task } from "./support/tasks.ts";

const question = {
  name: "AskUserQuestion",
  input: { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] },
};
const ask = { check: () => ({ action: "ask", reason: "it writes" }) as const };

it("a question nobody can answer suspends the run, and another process goes on with the answer", async () => {
  const store = memoryStore();
  const hooks = createHooks();
  const events: unknown[] = [];
  hooks.on("Suspend", ({ pending_tool_calls }) => {
    events.push(["Suspend", pending_tool_calls?.length]);
  });
  hooks.on("Resume", ({ answers }) => {
    events.push(["Resume", answers]);
  });
  hooks.on("TurnEnd", () => {
    events.push("TurnEnd");
  });
  const tools = [...defaultTools(), echo];
  const options: Partial<AgentOptions> = { store, hooks, tools, suspend: true };
  const { agent } = agentOf([{ tool_calls: [question, says("beside")] }], options);
  const waits = await agent.run("Do it.");
  await agent.close();
  expect(waits).toMatchObject({
    stop_reason: "suspended",
    waiting_for: { type: "question", tool_name: "AskUserQuestion", questions: [{ question: "Which?" }] },
  });
  const { metadata, messages } = (await store.load(agent.agent_id)) ?? {};
  expect(metadata).toMatchObject({ status: "suspended", waiting_for: { type: "question" } });
  expect(messages).toEqual(agent.transcript());

  const again = await Agent.resume(agent.agent_id, {
    model: scriptedModel([{ text: "B it is." }]),
    tools,
    store,
    hooks,
  });
  expect(again.waiting_for).toEqual(waits.waiting_for);
  expect(await again.continue(reply(again, { "Which?": "B" }))).toMatchObject({ text: "B it is." });
  await again.close();
  expect(story(again.transcript())).toEqual([
    "user text: Do it.",
    "assistant calls AskUserQuestion",
    "assistant calls Echo",
    "tool answers: beside",
    "tool answers: The user answered:\n\nWhich?\nB",
    "assistant text: B it is.",
  ]);
  expect(events).toEqual([["Suspend", 1], ["Resume", { "Which?": "B" }], "TurnEnd"]);
  expect((await store.load(agent.agent_id))?.metadata).not.toHaveProperty("waiting_for");
});

it.each([
  [true, ["once"], "tool answers: once"],
  [{ allow: false, feedback: "not now" }, [], "tool fails: The user refused this call: not now"],
])("a permission waits for a human: %j", async (answers, expected, last) => {
  const store = memoryStore();
  const { tool, ran } = counting("Change");
  const options = { store, tools: [tool], permissions: ask, suspend: true };
  const { agent } = agentOf([{ tool_calls: [says("once", "Change")] }, { text: "Done." }], options);
  const { waiting_for } = await agent.run("Do it.");
  await agent.close();
  expect([waiting_for, ran]).toMatchObject([
    { type: "permission", tool_name: "Change", tool_input: { text: "once" }, reason: "it writes" },
    [],
  ]);
  const model = scriptedModel([{ text: "Done." }]);
  const again = await Agent.resume(agent.agent_id, { ...options, model });
  await again.continue(reply(again, answers));
  await again.close();
  expect(ran).toEqual(expected);
  expect(story(again.transcript()).slice(-2)).toEqual([last, "assistant text: Done."]);
});

it("a suspended agent goes on in the same process too, and suspends again without an answer", async () => {
  const { tool, ran } = counting("Change");
  const { agent } = agentOf([{ tool_calls: [says("x", "Change")] }, { text: "Done." }], {
    tools: [tool],
    permissions: ask,
    suspend: true,
  });
  expect((await agent.run("Do it.")).stop_reason).toBe("suspended");
  expect((await agent.continue()).stop_reason).toBe("suspended");
  expect([(await agent.continue(reply(agent, "yes"))).text, ran]).toEqual(["Done.", ["x"]]);
});

it("what a subagent waits for suspends its parent, and the answer reaches it", async () => {
  const store = memoryStore();
  const { tool, ran } = counting("Change");
  const task = { agent_type: "general-purpose", task: "Change it.", description: "change" };
  const step = (text: string) => (text.includes("Change it.") ? "child" : "parent");
  const play = (request: { prompt: unknown }) => {
    const prompt = JSON.stringify(request.prompt);
    const answered = prompt.includes("tool-result");
    if (step(prompt.split("tool-call")[0] ?? "") === "child")
      return answered ? { text: "Changed." } : { tool_calls: [says("deep", "Change")] };
    return answered ? { text: "All done." } : { tool_calls: [{ name: "Task", input: task }] };
  };
  const tools = [...defaultTools(), tool];
  const permissions = {
    check: ({ tool_name }: { tool_name: string }) =>
      ({ action: tool_name === "Change" ? "ask" : "allow" }) as const,
  };
  const options = { store, tools, permissions, suspend: true };
  const { agent } = agentOf([play, play, play], options);
  const { waiting_for } = await agent.run("Delegate.");
  await agent.close();
  expect(waiting_for).toMatchObject({ type: "subagent", waiting_for: { type: "permission" } });
  const again = await Agent.resume(agent.agent_id, { ...options, model: scriptedModel([play, play, play]) });
  const { text } = await again.continue(reply(again, true));
  await again.close();
  expect([text, ran]).toEqual(["All done.", ["deep"]]);
  const { transcripts } = await store.list({ session_id: agent.session_id });
  expect(transcripts.map(({ status }) => status)).toEqual(["complete", "complete"]);
});

it("a subagent in the background that waits for a human has failed, and its parent reads the way out", async () => {
  const { tool } = counting("Change");
  const { tool: wait } = counting("Wait");
  const store = memoryStore();
  const hooks = createHooks();
  const done = new Promise<void>((resolve) => {
    hooks.on("AgentStop", ({ agent_type }) => {
      if (agent_type !== "main") resolve();
    });
  });
  const until = {
    ...wait,
    run: async () => {
      await done;
      return { content: "waited" };
    },
  };
  const permissions = {
    check: ({ tool_name }: { tool_name: string }) =>
      ({ action: tool_name === "Change" ? "ask" : "allow" }) as const,
  };
  const { steps } = both(
    [
      { tool_calls: [task({ run_in_background: true }, "T")] },
      { tool_calls: [says("x", "Wait")] },
      { text: "Hm." },
      { text: "I see." },
    ],
    [{ tool_calls: [says("deep", "Change")] }],
  );
  const tools = [...defaultTools(), tool, until];
  const { agent } = agentOf(steps, { store, hooks, tools, permissions, suspend: true });
  await agent.run("Delegate.");
  if (!agent.transcript().some((message) => message.role === "user" && message.delivers === "T"))
    await agent.run("And now?");
  const [child] = (await store.list({ parent_agent_id: agent.agent_id })).transcripts;
  expect([child?.status, story(agent.transcript())]).toEqual([
    "suspended",
    expect.arrayContaining([
      `user text: Task (T), which ran in the background, failed:\nThe subagent ended without an answer (suspended): Change waits for a human. Subagents in the background can't ask. To ask the human, call Task with resume_agent_id "${child?.agent_id}" and without run_in_background.\n\n(agent_id: ${child?.agent_id})`,
    ]),
  ]);
});
