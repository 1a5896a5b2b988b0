import { createHooks } from "tenterhook";
import { defaultTools, todoReminder } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, story } from "../support/agents.ts";

type Status = "pending" | "in_progress" | "completed";

function list(...todos: readonly (readonly [string, Status])[]) {
  return { name: "TodoWrite", input: { todos: todos.map(([content, status]) => ({ content, status })) } };
}

const OPEN = list(
  ["Write the code", "completed"],
  ["Run the tests", "in_progress"],
  ["Document it", "pending"],
);
const DONE = list(["Write the code", "completed"]);
const step = { tool_calls: [says("x")] };
const tools = [...defaultTools(), echo];
const REMINDER = "Open items of your work list:\n- Run the tests (in progress)\n- Document it";

function reminders(agent: Parameters<typeof story>[0]): readonly string[] {
  return story(agent).filter((line) => line.includes("work list") && line.startsWith("user"));
}

describe("todoReminder", () => {
  it("reminds the model of open items after so many calls without a change of the list", async () => {
    const { agent, hooks } = agentOf(
      [{ tool_calls: [OPEN] }, step, step, step, step, { tool_calls: [DONE] }, { text: "done" }],
      {
        tools,
      },
    );
    todoReminder(hooks, { every: 2 });
    await agent.run("go");
    expect(
      story(agent.transcript()).map((line) => (line.startsWith("user context") ? line : line.split(" ")[0])),
    ).toEqual([
      "user",
      ...["assistant", "tool"],
      ...["assistant", "tool"],
      ...["assistant", "tool", `user context: ${REMINDER}\nUpdate the list when you have finished an item.`],
      ...["assistant", "tool"],
      ...["assistant", "tool", `user context: ${REMINDER}\nUpdate the list when you have finished an item.`],
      ...["assistant", "tool"],
      "assistant",
    ]);
  });

  it("counts from the last change of the list, and says nothing when all is done", async () => {
    const { agent, hooks } = agentOf(
      [{ tool_calls: [OPEN] }, step, { tool_calls: [OPEN] }, step, { tool_calls: [DONE] }, step, step, step],
      { tools },
    );
    todoReminder(hooks, { every: 2 });
    await agent.run("go");
    expect(reminders(agent.transcript())).toEqual([]);
  });

  it("keeps an agent that wants to stop with open items going, once", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [OPEN] }, { text: "one" }, { text: "two" }], { tools });
    todoReminder(hooks);
    expect(await agent.run("go")).toMatchObject({ text: "two" });
    expect(reminders(agent.transcript())).toEqual([
      `user text: ${REMINDER}\nFinish them, or update the list and say why they stay open.`,
    ]);
  });

  it("keeps the lists of agents apart, and counts failed calls", async () => {
    const hooks = createHooks();
    todoReminder(hooks, { every: 1 });
    const base = { session_id: "s", cwd: "/" };
    const call = { tool_name: "TodoWrite", tool_input: OPEN.input };
    await hooks.fire({ hook_event_name: "PostToolUse", ...base, agent_id: "a", ...call });
    const failed = async (agent_id: string) => {
      const about = { tool_name: "Bash", tool_input: {}, error: "no" };
      const { context } = await hooks.fire({
        hook_event_name: "PostToolUseFailure",
        ...base,
        agent_id,
        ...about,
      });
      return context.length;
    };
    expect([await failed("b"), await failed("a")]).toEqual([0, 1]);
  });

  it("shows a long list in short", async () => {
    const hooks = createHooks();
    todoReminder(hooks, { every: 1 });
    const todos = Array.from({ length: 30 }, (_, at) => ({
      content: `${at} ${"x".repeat(500)}`,
      status: "pending",
    }));
    const base = { hook_event_name: "PostToolUse", session_id: "s", cwd: "/" } as const;
    await hooks.fire({ ...base, tool_name: "TodoWrite", tool_input: { todos } });
    const { context } = await hooks.fire({ ...base, tool_name: "Read", tool_input: {} });
    const lines = String(context[0]?.text).split("\n");
    expect(lines).toHaveLength(23);
    expect(lines.at(-2)).toBe("… and 10 more");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(210);
  });

  it.each([0, -1, 1.5, Number.NaN, "3"])("refuses to remind every %s calls", (every) => {
    expect(() => todoReminder(createHooks(), { every: every as number })).toThrow(
      "todoReminder: every must be a whole number from 1 on",
    );
  });
});
