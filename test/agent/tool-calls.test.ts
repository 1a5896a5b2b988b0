import { setImmediate } from "node:timers/promises";
import { context, createHooks, deny, rewrite } from "tenterhook";
import type { Tool } from "tenterhook/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";

const shell: Tool = {
  name: "Bash",
  description: "Runs a command.",
  input_schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  run: async ({ command }) => ({ content: `ran ${command}` }),
};
const runs = (command: string) => ({ name: "Bash", input: { command } });

describe("a tool call", () => {
  it("that is denied is a result with the reason, and the model goes on", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }, { text: "I see" }]);
    hooks.on("PreToolUse", () => deny("not on Sundays"));
    expect(await agent.run("go")).toMatchObject({ text: "I see", stop_reason: "complete" });
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "assistant calls Echo",
      "tool fails: not on Sundays",
      "assistant text: I see",
    ]);
  });

  it("of an unknown tool names the nearest ones", async () => {
    const { agent } = agentOf([{ tool_calls: [says("a", "Ecko"), says("b", "Xyz")] }]);
    await agent.run("go");
    expect(story(agent.transcript()).slice(3, 5)).toEqual([
      'tool fails: There is no tool "Ecko". Did you mean Echo?',
      'tool fails: There is no tool "Xyz". There are: Echo, Broken.',
    ]);
  });

  it("with arguments that do not fit says what is wrong", async () => {
    const { agent } = agentOf([{ tool_calls: [{ name: "Echo", input: { text: 7 } }] }]);
    await agent.run("go");
    expect(story(agent.transcript())[2]).toMatch(
      /^tool fails: The input of Echo does not fit its schema\. text: /,
    );
  });

  it("that a hook rewrote runs with the new input, and later hooks see both", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }]);
    const seen: unknown[] = [];
    hooks.on("PreToolUse", () => rewrite({ text: "b" }));
    hooks.on("PostToolUse", ({ tool_input, original_input }) => {
      seen.push(tool_input, original_input);
    });
    await agent.run("go");
    expect(story(agent.transcript())[2]).toBe("tool answers: b");
    expect(seen).toEqual([{ text: "b" }, { text: "a" }]);
  });

  it("that a hook rewrote to something the tool can't take does not run", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }]);
    hooks.on("PreToolUse", () => rewrite({ words: "b" }));
    await agent.run("go");
    expect(story(agent.transcript())[2]).toMatch(/^tool fails: A hook rewrote the call\. The input of Echo/);
  });

  it("has its result and its error rewritten by hooks", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a"), says("b", "Broken")] }]);
    hooks.on("PostToolUse", () => rewrite("nicer"));
    hooks.on("PostToolUseFailure", ({ error }) => rewrite(`said: ${error}`));
    await agent.run("go");
    expect(story(agent.transcript()).slice(3, 5)).toEqual([
      "tool answers: nicer",
      "tool fails: said: it broke",
    ]);
  });
});

describe("several calls of one message", () => {
  it.each([
    [true, ["gate a", "gate b", "begin a", "begin b", "end b", "post b", "end a", "post a"]],
    [false, ["gate a", "gate b", "begin a", "end a", "post a", "begin b", "end b", "post b"]],
  ])("that only read: %s", async (read_only, expected) => {
    const log: string[] = [];
    let isOver = (): void => {};
    const second = new Promise<void>((resolve) => {
      isOver = resolve;
    });
    const tool: Tool = {
      ...echo,
      annotations: { read_only },
      run: async ({ text }) => {
        log.push(`begin ${text}`);
        // Of two at the same time, the first takes longer than the second.
        await (read_only && text === "a" ? second : new Promise((resolve) => setTimeout(resolve, 5)));
        log.push(`end ${text}`);
        return { content: String(text) };
      },
    };
    const hooks = createHooks();
    hooks.on("PreToolUse", async ({ tool_input }) => {
      log.push(`gate ${tool_input.text}`);
    });
    hooks.on("PostToolUse", ({ tool_input: { text } }) => {
      log.push(`post ${text}`);
      if (text === "b") isOver();
    });
    const { agent } = agentOf([{ tool_calls: [says("a"), says("b")] }], { tools: [tool], hooks });
    await agent.run("go");
    expect(log).toEqual(expected);
    expect(story(agent.transcript()).slice(3, 5)).toEqual(["tool answers: a", "tool answers: b"]);
  });

  it("are followed by what hooks say for the model, as text of its own", async () => {
    const prompts: unknown[] = [];
    const { agent, hooks } = agentOf([
      { tool_calls: [says("a"), says("b")] },
      ({ prompt }) => {
        prompts.push(prompt.slice(-3));
        return { text: "done" };
      },
    ]);
    hooks.on("PostToolUse", ({ tool_input }) => context(`about ${tool_input.text}`));
    await agent.run("go");
    const result = (id: string, value: string) => ({
      role: "tool",
      content: [{ type: "tool-result", toolCallId: id, toolName: "Echo", output: { type: "text", value } }],
    });
    const answer = {
      role: "user",
      content: ["a", "b"].map((text) => ({ type: "text", text: `about ${text}` })),
    };
    expect(prompts).toEqual([[result("call_1", "a"), result("call_2", "b"), answer]]);
  });
});

describe("defect 2: a rewritten input", () => {
  it("does not escape the policy that passed the old one", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [runs("ls")] }], { tools: [shell] });
    hooks.on("PreToolUse", ({ tool_input }) =>
      String(tool_input.command).includes("rm") ? deny("no rm") : undefined,
    );
    hooks.on("PreToolUse", () => rewrite({ command: "rm -rf /" }));
    await agent.run("go");
    expect(story(agent.transcript())[2]).toBe("tool fails: no rm");
  });

  it("does not escape the permissions either", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [runs("ls")] }], {
      tools: [shell],
      permissions: { mode: "bypass", deny: ["Bash(rm:*)"] },
    });
    hooks.on("PreToolUse", () => rewrite({ command: "rm -rf /" }));
    await agent.run("go");
    expect(story(agent.transcript())[2]).toMatch(/^tool fails: .*rm/);
  });
});

it("defect 12: ls; rm -rf / does not pass an allow rule for ls", async () => {
  const { agent } = agentOf([{ tool_calls: [runs("ls -l"), runs("ls; rm -rf /")] }], {
    tools: [shell],
    permissions: { allow: ["Bash(ls:*)"] },
  });
  await agent.run("go");
  const [, , , first, second] = story(agent.transcript());
  expect(first).toBe("tool answers: ran ls -l");
  expect(second).toMatch(/^tool fails: Bash needs the approval of a human.*, but there is nobody to ask/);
});

it("many calls that run together may all listen to the signal of the turn, without a warning of Node", async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => {
    warnings.push(name);
  };
  process.on("warning", onWarning);
  onTestFinished(() => {
    process.off("warning", onWarning);
  });
  const calls = Array.from({ length: 15 }, (_, at) => says(String(at), "Listen"));
  const listen: Tool = {
    ...echo,
    name: "Listen",
    run: async (_, { signal }) => {
      signal.addEventListener("abort", () => {});
      return { content: "heard" };
    },
  };
  const { agent } = agentOf([{ tool_calls: calls }], { tools: [listen] });
  await agent.run("go");
  // Warnings are told in the next tick.
  await setImmediate();
  expect(warnings).toEqual([]);
});
