import { answer, ask, createHooks, rewrite } from "tenterhook";
import {
  type Agent,
  type AgentOptions,
  type ApprovalRequest,
  defaultTools,
  type Tool,
} from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { promptOf } from "../../src/monitor/report/prompt.ts";
import { agentOf, echo, says, story } from "./support/agents.ts";

const asks = { name: "AskUserQuestion", input: { questions: [{ question: "Which colour?" }] } };
const result = (lines: readonly string[]): string | undefined =>
  lines.find((line) => line.startsWith("tool "));
const results = (agent: Agent): readonly string[] =>
  story(agent.transcript()).filter((line) => line.startsWith("tool "));

describe("a call a human has to agree to", () => {
  const asking = () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { tools: ["Echo"] }, () => ask("sure?"));
    return hooks;
  };

  it("is refused when nobody can be asked", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }], { hooks: asking() });
    const denied: unknown[] = [];
    hooks.on("PermissionDenied", ({ by, reason }) => {
      denied.push([by, reason]);
    });
    await agent.run("go");
    const reason =
      "Echo needs the approval of a human (hook PreToolUse#1), but there is nobody to ask, so it is refused.";
    expect(result(story(agent.transcript()))).toBe(`tool fails: ${reason}`);
    expect(denied).toEqual([["nobody", reason]]);
  });

  it("is shown to the person who approves, with its final input", async () => {
    const shown: ApprovalRequest[] = [];
    const hooks = asking();
    hooks.on("PreToolUse", () => rewrite({ text: "b" }));
    const { agent } = agentOf([{ tool_calls: [says("a")] }], {
      hooks,
      approval: (request) => {
        shown.push(request);
        return true;
      },
    });
    await agent.run("go");
    expect(shown).toEqual([
      {
        kind: "permission",
        tool_name: "Echo",
        tool_input: { text: "b" },
        tool_use_id: "call_1",
        reason: "sure?",
      },
    ]);
    expect(result(story(agent.transcript()))).toBe("tool answers: b");
  });

  it("that is refused tells the model what the human said", async () => {
    const { agent } = agentOf([{ tool_calls: [says("a")] }], {
      hooks: asking(),
      approval: () => ({ allow: false, feedback: "use the other one" }),
    });
    await agent.run("go");
    expect(result(story(agent.transcript()))).toBe(
      "tool fails: The user refused this call: use the other one",
    );
  });

  it("that is refused without a word reads as a refusal of the user, not as the question", async () => {
    const { agent } = agentOf([{ tool_calls: [says("a")] }], { hooks: asking(), approval: () => false });
    await agent.run("go");
    expect(result(story(agent.transcript()))).toBe("tool fails: The user refused this call.");
  });

  it("that a hook refuses in place of the user names the hook", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }], { hooks: asking() });
    hooks.on("AgentPrompt", { name: "night-watch" }, () => answer(false));
    await agent.run("go");
    expect(result(story(agent.transcript()))).toBe("tool fails: The hook night-watch refused this call.");
  });

  it("records who has answered, what they said and for how long it has waited", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a"), says("b")] }], {
      hooks: asking(),
      approval: ({ tool_input }) =>
        tool_input?.text === "a" ? true : { allow: false, feedback: "not b", by: "Anna" },
    });
    const records: unknown[] = [];
    hooks.on(["PostToolUse", "PermissionDenied"], ({ approval }) => void records.push(approval));
    const items: unknown[] = [];
    await agent.run("go", {
      onItem: (item) => {
        if (item.type === "person_answer") items.push(item);
      },
    });
    const asked_ms = expect.any(Number);
    const yes = { by: "user", asked_ms };
    const no = { by: "Anna", asked_ms, words: "not b" };
    expect(records).toEqual(expect.arrayContaining([yes, no]));
    expect(items).toEqual([
      { type: "person_answer", tool_use_id: "call_1", done: "allowed", ...yes },
      { type: "person_answer", tool_use_id: "call_2", done: "refused", ...no },
    ]);
  });

  it.each([
    [{ answers: { "Which?": "Red" }, by: "Anna" }, "Anna"],
    [{ "Which?": "Red" }, "user"],
  ])("records who has answered a question: %j", async (reply, by) => {
    const call = { name: "AskUserQuestion", input: { questions: [{ question: "Which?" }] } };
    const { agent } = agentOf([{ tool_calls: [call] }], {
      tools: defaultTools(),
      askUser: async () => reply,
    });
    const items: unknown[] = [];
    await agent.run("go", {
      onItem: (item) => {
        if (item.type === "person_answer") items.push(item);
      },
    });
    expect(items).toEqual([
      { type: "person_answer", tool_use_id: "call_1", done: "answered", by, asked_ms: expect.any(Number) },
    ]);
    expect(result(story(agent.transcript()))).toContain("Which?\nRed");
  });

  it("is refused when the question fails", async () => {
    const { agent } = agentOf([{ tool_calls: [says("a")] }], {
      hooks: asking(),
      approval: () => Promise.reject(new Error("no terminal")),
    });
    await agent.run("go");
    expect(result(story(agent.transcript()))).toBe(
      "tool fails: Echo needs the approval of a human (hook PreToolUse#1), but the question could not be asked: no terminal, so it is refused.",
    );
  });

  it("can be agreed to by a hook in the human's place", async () => {
    const hooks = asking();
    hooks.on("AgentPrompt", ({ prompt_type }) => answer(prompt_type === "permission"));
    const { agent } = agentOf([{ tool_calls: [says("a")] }], { hooks });
    await agent.run("go");
    expect(result(story(agent.transcript()))).toBe("tool answers: a");
  });

  it("is asked about once when it is granted for the session, and again when it is another one", async () => {
    let asked = 0;
    const bash: Tool = {
      ...echo,
      name: "Bash",
      annotations: {},
      input_schema: { type: "object" },
      run: async ({ command }) => ({ content: `ran ${command}` }),
    };
    const runs = (command: string) => ({ tool_calls: [{ name: "Bash", input: { command } }] });
    const { agent } = agentOf([runs("make a"), runs("make a"), runs("make b")], {
      tools: [bash],
      permissions: {},
      approval: () => {
        asked += 1;
        return { allow: true, for: "session" };
      },
    });
    await agent.run("go");
    expect(asked).toBe(2);
  });
});

describe("a question of the agent", () => {
  const tools = defaultTools();

  it("a question of the agent is put to the user", async () => {
    const items: string[] = [];
    const { agent } = agentOf([{ tool_calls: [asks] }], {
      tools,
      askUser: async () => ({ "Which colour?": "red" }),
    });
    await agent.run("go", { onItem: ({ type }) => items.push(type) });
    expect(result(story(agent.transcript()))).toContain("red");
    expect(items).toContain("question");
  });

  it.each([
    ["null", "Nobody can be asked here."],
    ['"red"', "red"],
    ['{"Which colour?":["red","blue"]}', "red,blue"],
  ])("is understood when %s is the answer, given at once", async (reply, expected) => {
    const { agent } = agentOf([{ tool_calls: [asks] }], { tools, askUser: () => JSON.parse(reply) });
    await agent.run("go");
    expect(result(story(agent.transcript()))).toContain(expected);
  });

  it("defect 16: is answered by a PreToolUse hook that writes the answers into the input", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [asks] }], { tools });
    hooks.on("PreToolUse", { tools: ["AskUserQuestion"] }, () =>
      rewrite((input) => ({ ...input, answers: { "Which colour?": "green" } })),
    );
    await agent.run("go");
    expect(result(story(agent.transcript()))).toContain("green");
  });

  it("is answered by an AgentPrompt hook", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [asks] }], { tools });
    hooks.on("AgentPrompt", () => answer("blue"));
    await agent.run("go");
    expect(result(story(agent.transcript()))).toContain("blue");
  });

  it("a question of the agent fails when there is nobody to ask", async () => {
    const { agent } = agentOf([{ tool_calls: [asks] }], { tools });
    await agent.run("go");
    expect(result(story(agent.transcript()))).toMatch(/^tool fails: /);
  });
});

describe("plan mode", () => {
  const plan = { tool_calls: [{ name: "ExitPlanMode", input: { plan: "1. do it" } }] };
  const write = { tool_calls: [{ name: "Write", input: { file_path: "a.txt", content: "a" } }] };

  it("lets nothing change until the human agrees to the plan", async () => {
    const shown: unknown[] = [];
    const { agent } = agentOf([write, plan, plan, write], {
      tools: defaultTools(),
      permissions: { mode: "plan" },
      approval: ({ kind, subject }) => {
        shown.push([kind, subject]);
        return shown.length === 1 ? { allow: false, feedback: "smaller steps" } : true;
      },
    });
    await agent.run("go");
    const [refused, again, agreed] = results(agent);
    expect(refused).toContain("plan mode");
    expect(again).toContain("smaller steps");
    expect(agreed).toContain("The user agreed to the plan");
    expect(shown.slice(0, 2)).toEqual([
      ["plan", "1. do it"],
      ["plan", "1. do it"],
    ]);
  });

  it("tells hooks the plan in the same words as other agents do, and takes their answer", async () => {
    const prompts: unknown[] = [];
    const { agent, hooks } = agentOf([plan], { tools: defaultTools(), mode: "plan" });
    hooks.on("AgentPrompt", ({ prompt_type, question }) => {
      prompts.push([prompt_type, question]);
      return answer("smaller steps");
    });
    await agent.run("go");
    const native = {
      hook_event_name: "PreToolUse",
      tool_name: "ExitPlanMode",
      tool_input: { plan: "1. do it" },
    };
    const { prompt_type, question } = promptOf(native) ?? {};
    expect(prompts).toEqual([[prompt_type, question]]);
    expect(results(agent)[0]).toContain("smaller steps");
  });

  it("holds for an agent without rules too, until the human agrees", async () => {
    const enter = { tool_calls: [{ name: "EnterPlanMode", input: {} }] };
    const { agent } = agentOf([write, enter, write, plan, write], {
      tools: defaultTools(),
      approval: () => true,
    });
    await agent.run("go");
    expect(results(agent)).toEqual([
      "tool answers: Created a.txt (1 bytes).",
      "tool answers: You are in plan mode: read and search, then call ExitPlanMode with your plan.",
      "tool fails: Write is not read-only, and in plan mode nothing is changed.",
      "tool answers: The user agreed to the plan. You can carry it out now.",
      "tool answers: Replaced a.txt (1 bytes).",
    ]);
  });

  it("like any other mode, holds when it is all that was chosen", async () => {
    const written = async (mode: AgentOptions["mode"]) => {
      const { agent } = agentOf([write], { tools: defaultTools(), ...(mode === undefined ? {} : { mode }) });
      await agent.run("go");
      return results(agent)[0];
    };
    expect(await written("plan")).toContain("in plan mode nothing is changed");
    expect(await written("dont-ask")).toContain("In this mode nobody is asked");
    expect(await written("default")).toContain("there is nobody to ask");
    expect(await written("accept-edits")).toContain("Created a.txt");
    expect(await written("bypass")).toContain("Created a.txt");
    expect(await written(undefined)).toContain("Created a.txt");
  });
});
