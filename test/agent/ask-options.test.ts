import { ask, createHooks, rewrite } from "tenterhook";
import { type Agent, type AgentOptions, defaultTools } from "tenterhook/agent";
import { expect, it } from "vitest";
import { agentOf, reply, says, story } from "./support/agents.ts";

/** None of the options is chosen, and a yes lets the call run as it is. */
async function expectYesOrNo(options: Partial<AgentOptions>): Promise<void> {
  const reasons: unknown[] = [];
  const agent = choosing({
    ...options,
    approval: ({ reason }) => {
      reasons.push(reason);
      return true;
    },
  });
  await agent.run("go");
  expect(reasons).toEqual(["Which text? (None of its options was chosen: one, two.)"]);
  expect(result(agent)).toBe("tool answers: a");
}

function choosing(options: Partial<AgentOptions>) {
  const hooks = createHooks();
  hooks.on("PreToolUse", { tools: ["Echo"] }, ({ choice }) =>
    choice === undefined ? ask("Which text?", { options: ["one", "two"] }) : rewrite({ text: choice }),
  );
  return agentOf([{ tool_calls: [says("a")] }, { text: "Done." }], { hooks, ...options }).agent;
}

const result = (agent: Agent): string | undefined =>
  story(agent.transcript()).find((line) => line.startsWith("tool "));
const QUESTION = 'Which text? (Echo {"text":"a"})';

it("the user chooses one of the options of a hook that asks", async () => {
  const asked: unknown[] = [];
  const agent = choosing({
    askUser: async (questions) => {
      asked.push(...questions);
      return { [QUESTION]: "two" };
    },
  });
  await agent.run("go");
  expect(asked).toEqual([
    {
      question: QUESTION,
      options: [{ label: "one" }, { label: "two" }, { label: "deny", description: "It does not happen." }],
    },
  ]);
  expect(result(agent)).toBe("tool answers: two");
});

it("the user refuses, or says what to do instead", async () => {
  const refused = choosing({ askUser: async () => ({ [QUESTION]: "deny" }) });
  await refused.run("go");
  expect(result(refused)).toBe("tool fails: The user refused this call.");
  const answering = choosing({ askUser: async () => ({ [QUESTION]: "say nothing" }) });
  await answering.run("go");
  expect(result(answering)).toBe("tool fails: The user refused this call: say nothing");
});

it("who can only approve is asked for a yes or no", async () => {
  await expectYesOrNo({});
});

it("an agent that may be suspended waits for the choice, and goes on with it", async () => {
  const agent = choosing({ suspend: true });
  expect(await agent.run("go")).toMatchObject({
    stop_reason: "suspended",
    waiting_for: { type: "question", tool_name: "Echo", questions: [{ question: QUESTION }] },
  });
  await agent.continue(reply(agent, "two"));
  expect(result(agent)).toBe("tool answers: two");
});

/** Hooks that each ask with the options "go on" and "stop" about a call of Echo, and what was chosen. */
function twoHooks(questions: Readonly<Record<string, string>>) {
  const hooks = createHooks();
  const chosen: Record<string, string> = {};
  for (const [name, question] of Object.entries(questions))
    hooks.on("PreToolUse", { name }, ({ choice }) => {
      if (choice === undefined) return ask(question, { options: ["go on", "stop"] });
      chosen[name] = choice;
      return undefined;
    });
  return { hooks, chosen };
}

it("two hooks ask about one call of a suspended agent, and both get their choices", async () => {
  const { hooks, chosen } = twoHooks({ a: "Deploy?", b: "Also delete the database?" });
  const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "Done." }], { hooks, suspend: true });
  await agent.run("go");
  const { waiting_for } = await agent.continue(reply(agent, "go on"));
  expect(waiting_for).toMatchObject({
    questions: [{ question: expect.stringContaining("Also delete the database?") }],
  });
  const { stop_reason } = await agent.continue(reply(agent, "stop"));
  expect([stop_reason, chosen]).toEqual(["complete", { a: "go on", b: "stop" }]);
});

it("a hook that asks about a question of the agent does not take its answer", async () => {
  const { hooks, chosen } = twoHooks({ a: "May it ask?" });
  const input = { questions: [{ question: "Colour?" }] };
  const steps = [{ tool_calls: [{ name: "AskUserQuestion", input }] }, { text: "Done." }];
  const { agent } = agentOf(steps, { hooks, tools: defaultTools(), suspend: true });
  await agent.run("go");
  await agent.continue(reply(agent, "go on"));
  const { stop_reason } = await agent.continue(reply(agent, "blue"));
  expect([stop_reason, chosen]).toEqual(["complete", { a: "go on" }]);
  expect(result(agent)).toBe("tool answers: The user answered:\n\nColour?\nblue");
});

it("two hooks that ask the same about one call are answered one by one", async () => {
  const { hooks, chosen } = twoHooks({ a: "Sure?", b: "Sure?" });
  const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "Done." }], { hooks, suspend: true });
  expect((await agent.run("go")).waiting_for).toMatchObject({ hook: "a" });
  expect((await agent.continue(reply(agent, "go on"))).waiting_for).toMatchObject({ hook: "b" });
  const { stop_reason } = await agent.continue(reply(agent, "stop"));
  expect([stop_reason, chosen]).toEqual(["complete", { a: "go on", b: "stop" }]);
});

it("an option that looks like a number is chosen by its label", async () => {
  const hooks = createHooks();
  hooks.on("PreToolUse", ({ choice }) =>
    choice === undefined ? ask("Replicas?", { options: ["3", "2", "1"] }) : rewrite({ text: choice }),
  );
  const steps = [{ tool_calls: [says("a")] }, { text: "Done." }];
  const { agent } = agentOf(steps, { hooks, suspend: true });
  await agent.run("go");
  await agent.continue(reply(agent, "1"));
  expect(result(agent)).toBe("tool answers: 1");
});

it("the number of deny refuses", async () => {
  const agent = choosing({ askUser: async () => ({ [QUESTION]: "3" }) });
  await agent.run("go");
  expect(result(agent)).toBe("tool fails: The user refused this call.");
});

it.each(["", " ", "4", "0", "Yes"])("the answer %j chooses nothing and refuses nothing", async (answer) => {
  await expectYesOrNo({ askUser: async () => ({ [QUESTION]: answer }) });
});
