import { retry, timeLimit } from "tenterhook";
import type { AgentItem, Tool } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";

describe("a tool that fails", () => {
  const flaky = (replay: boolean): Tool => {
    let calls = 0;
    return {
      ...echo,
      name: "Flaky",
      ...(replay ? { replay: "safe" as const } : {}),
      run: async () => {
        calls += 1;
        if (calls === 1) throw new Error("once");
        return { content: "fine" };
      },
    };
  };

  it.each([
    [true, "tool answers: fine"],
    [false, "tool fails: once"],
  ])("is run again for an Error hook only when that is safe: %s", async (replay, expected) => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a", "Flaky")] }], { tools: [flaky(replay)] });
    hooks.on("Error", { tools: ["Flaky"] }, () => retry());
    await agent.run("go");
    expect(story(agent.transcript())[2]).toBe(expected);
  });

  it("is said not to be run again when it is not safe, once in a session", async () => {
    const steps = [{ tool_calls: [says("a", "Broken"), says("b", "Broken")] }];
    const broken: Tool = { ...echo, name: "Broken", run: async () => Promise.reject(new Error("broken")) };
    const { agent, hooks } = agentOf(steps, { tools: [broken] });
    hooks.on("Error", { name: "again", tools: ["Broken"] }, () => retry(3));
    const notices: AgentItem[] = [];
    await agent.run("go", { onItem: (item) => item.type === "notice" && notices.push(item) });
    const text = 'Broken is not run again (retry): only tools marked replay: "safe" are.';
    expect(notices).toEqual([{ type: "notice", text, level: "warning", hook: "again" }]);
  });

  it("is run again as often as retry says, for each call", async () => {
    let left = 5;
    const tool: Tool = {
      ...echo,
      name: "Flaky",
      replay: "safe",
      run: async () => {
        left -= 1;
        if (left > 0) throw new Error(`${left} left`);
        return { content: "fine" };
      },
    };
    const steps = [{ tool_calls: [says("a", "Flaky")] }, { tool_calls: [says("b", "Flaky")] }];
    const { agent, hooks } = agentOf(steps, { tools: [tool] });
    hooks.on("Error", { tools: ["Flaky"] }, () => retry(2));
    await agent.run("go");
    const tools = story(agent.transcript()).filter((line) => line.startsWith("tool"));
    expect(tools).toEqual(["tool fails: 2 left", "tool answers: fine"]);
  });

  it("has the time that hooks give it, and then its signal is aborted", async () => {
    let reason: unknown;
    const tool: Tool = {
      ...echo,
      name: "Slow",
      run: (_, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            reject(new Error("killed"));
          }),
        ),
    };
    const { agent, hooks } = agentOf([{ tool_calls: [says("a", "Slow")] }], { tools: [tool] });
    hooks.on("PreToolUse", { tools: ["Slow"] }, () => timeLimit(0.02));
    await agent.run("go");
    expect(story(agent.transcript())[2]).toBe(
      "tool fails: Slow took longer than 0.02 s, which is the limit of the hooks. What it has done is not known.",
    );
    expect(reason).toMatchObject({ code: "tool_timeout" });
  });

  it("is told with the stack of what it threw, but not with one of ours", async () => {
    const tools = [
      {
        ...echo,
        name: "Throws",
        run: async function fromTheTool(): Promise<never> {
          throw new RangeError("x");
        },
      },
      { ...echo, run: async () => ({ content: "no such file", is_error: true }) },
    ] satisfies Tool[];
    const { agent, hooks } = agentOf([{ tool_calls: [says("a", "Throws"), says("b")] }], { tools });
    const seen: unknown[] = [];
    hooks.on("Error", ({ tool, error_type, stack_trace }) => {
      seen.push([tool, error_type, stack_trace === undefined ? undefined : /fromTheTool/.test(stack_trace)]);
    });
    await agent.run("go");
    expect(seen).toEqual([
      ["Throws", "RangeError", true],
      ["Echo", "ToolError", undefined],
    ]);
  });

  it("by its own word counts as failed", async () => {
    const tool: Tool = { ...echo, run: async () => ({ content: "no such file", is_error: true }) };
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }], { tools: [tool] });
    const seen: unknown[] = [];
    hooks.on(["PostToolUse", "PostToolUseFailure"], ({ hook_event_name }) => {
      seen.push(hook_event_name);
    });
    await agent.run("go");
    expect(seen).toEqual(["PostToolUseFailure"]);
  });
});
