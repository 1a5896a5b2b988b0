import { ask, createHooks } from "tenterhook";
import type { Agent, AgentOptions, AskApproval } from "tenterhook/agent";
import { defaultTools } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, echo, reply, says, story } from "./support/agents.ts";

const question = {
  name: "AskUserQuestion",
  input: { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] },
};

/** A human who looks away, and what closed their dialog. */
function absent() {
  const closed: string[] = [];
  const wait = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        closed.push(String(signal.reason));
        reject(signal.reason);
      });
    });
  const ask: AskApproval = (_, signal) => wait(signal);
  const askUser: AgentOptions["askUser"] = (_, signal) => wait(signal);
  return { closed, ask, askUser };
}

function asking(
  options: Partial<AgentOptions>,
  call: { name: string; input: Record<string, unknown> } = says("a"),
) {
  const hooks = createHooks();
  hooks.on("PreToolUse", { tools: ["Echo"] }, () => ask("sure?"));
  return agentOf([{ tool_calls: [call] }, { text: "Done." }], {
    hooks,
    tools: [echo, ...defaultTools()],
    ...options,
  }).agent;
}

const result = (agent: Agent): string | undefined =>
  story(agent.transcript()).find((line) => line.startsWith("tool "));

describe("an approval that nobody gives in time", () => {
  it("is refused, says so to the model, and closes the dialog", async () => {
    const { ask, closed } = absent();
    const agent = asking({ approval: { ask, timeout: 0.02 } });
    await agent.run("go");
    expect(result(agent)).toBe(
      "tool fails: Echo needs the approval of a human (hook PreToolUse#1), but nobody answered within 0.02 seconds, so it is refused.",
    );
    expect(closed).toEqual(["TimeoutError: Nobody answered within 0.02 seconds."]);
  });

  it("is a yes when that is the default, and the user is notified", async () => {
    const { ask } = absent();
    const agent = asking({ approval: { ask, timeout: 0.02, default: "yes" } });
    const notices: string[] = [];
    await agent.run("go", { onItem: (item) => item.type === "notice" && notices.push(item.text) });
    expect(result(agent)).toBe("tool answers: a");
    expect(notices).toEqual(["Nobody answered within 0.02 seconds. The default is yes: Echo."]);
  });

  it("is a no of nobody when that is the default", async () => {
    const { ask } = absent();
    const agent = asking({
      approval: { ask, timeout: 0.02, default: { allow: false, feedback: "ask tomorrow" } },
    });
    await agent.run("go");
    expect(result(agent)).toBe(
      "tool fails: Echo needs the approval of a human (hook PreToolUse#1), but nobody answered within 0.02 seconds, and the default is no (ask tomorrow), so it is refused.",
    );
  });

  it("suspends an agent that may be suspended, which goes on with the answer", async () => {
    const { ask } = absent();
    const agent = asking({ approval: { ask, timeout: 0.02 }, suspend: true });
    expect(await agent.run("go")).toMatchObject({
      stop_reason: "suspended",
      waiting_for: { type: "permission", tool_name: "Echo", reason: "sure?" },
    });
    await agent.continue(reply(agent, true));
    expect(result(agent)).toBe("tool answers: a");
  });

  it("counts when it comes in time", async () => {
    const agent = asking({ approval: { ask: async () => true, timeout: 30, default: "no" } });
    await agent.run("go");
    expect(result(agent)).toBe("tool answers: a");
  });
});

describe("a question that nobody answers in time", () => {
  it("gets the default answers, or none", async () => {
    const { askUser, closed } = absent();
    const answered = asking({ askUser, approval: { timeout: 0.02, answers: { "Which?": "B" } } }, question);
    await answered.run("go");
    expect(result(answered)).toBe("tool answers: The user answered:\n\nWhich?\nB");
    const open = asking({ askUser, approval: { timeout: 0.02 } }, question);
    await open.run("go");
    expect(result(open)).toMatch(/^tool fails: Nobody can be asked here\./);
    expect(closed).toHaveLength(2);
  });

  it("suspends an agent that may be suspended", async () => {
    const { askUser } = absent();
    const agent = asking({ askUser, suspend: true, approval: { timeout: 0.02 } }, question);
    expect(await agent.run("go")).toMatchObject({
      stop_reason: "suspended",
      waiting_for: { type: "question" },
    });
  });
});

it("a time without an end, or a default that is no answer, is refused", () => {
  expect(() => asking({ approval: { timeout: 0 } })).toThrow(
    "new Agent: approval: timeout is 0; it must be a number of seconds above 0, or such numbers as permission, plan and question.",
  );
  expect(() => asking({ approval: JSON.parse('{ "timeout": 1, "default": "perhaps" }') })).toThrow(
    'new Agent: approval: default is "perhaps"; it must be a yes or no',
  );
});
