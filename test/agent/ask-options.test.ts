import { ask, createHooks, rewrite } from "tenterhook";
import type { Agent, AgentOptions } from "tenterhook/agent";
import { expect, it } from "vitest";
import { agentOf, reply, says, story } from "./support/agents.ts";

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
  const told = choosing({ askUser: async () => ({ [QUESTION]: "say nothing" }) });
  await told.run("go");
  expect(result(told)).toBe("tool fails: The user refused this call: say nothing");
});

it("who can only approve is asked for a yes or no", async () => {
  const reasons: unknown[] = [];
  const agent = choosing({
    approve: ({ reason }) => {
      reasons.push(reason);
      return true;
    },
  });
  await agent.run("go");
  expect(reasons).toEqual(["Which text? (Its options can't be offered here: one, two.)"]);
  expect(result(agent)).toBe("tool answers: a");
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
