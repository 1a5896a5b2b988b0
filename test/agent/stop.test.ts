import { abort, createHooks, deny, keepGoing } from "tenterhook";
import { describe, expect, it } from "vitest";
import { agentOf, says, story } from "./support/agents.ts";

describe("Stop hooks", () => {
  it("keep the agent going with their reasons as one user message", async () => {
    const { agent, hooks } = agentOf([{ text: "one" }, { text: "two" }]);
    const active: unknown[] = [];
    hooks.on("Stop", ({ stop_hook_active, last_assistant_message }) => {
      active.push([stop_hook_active, last_assistant_message]);
      return stop_hook_active === true ? undefined : keepGoing("tests fail");
    });
    hooks.on("Stop", ({ stop_hook_active }) =>
      stop_hook_active === true ? undefined : keepGoing("lint fails"),
    );
    expect(await agent.run("go")).toMatchObject({ text: "two", iterations: 2 });
    expect(active).toEqual([
      [false, "one"],
      [true, "two"],
    ]);
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "assistant text: one",
      "user text: tests fail\nlint fails",
      "assistant text: two",
    ]);
  });

  it("defect 5: a Stop hook that always continues is stopped by the ceiling, and the user sees why", async () => {
    const { agent, hooks } = agentOf([]);
    let count = 0;
    hooks.on("Stop", () => {
      count += 1;
      return keepGoing(`reason ${count}`);
    });
    const notices: string[] = [];
    const result = await agent.run("go", {
      onItem: (item) => item.type === "notice" && notices.push(item.text),
    });
    expect(result).toMatchObject({ stop_reason: "capped", iterations: 9 });
    expect(notices).toEqual([
      "A limit stopped the hooks (limits.stop_continuations): Stop hooks have kept this turn going 8 times; the limit is 8.",
    ]);
    count = 0;
    expect(await agent.run("again")).toMatchObject({ iterations: 9 });
  });

  it("are held to the limits of the agent before those of their set", async () => {
    const hooks = createHooks({ limits: { stop_continuations: 5 } });
    let count = 0;
    hooks.on("Stop", () => {
      count += 1;
      return keepGoing(`reason ${count}`);
    });
    const { agent } = agentOf([], { hooks, limits: { stop_continuations: 2 } });
    expect(await agent.run("go")).toMatchObject({ iterations: 3 });
  });

  it("that give the same reason again and again are stopped, also in a session without any tool call", async () => {
    const { agent, hooks } = agentOf([]);
    hooks.on("Stop", () => keepGoing("not yet"));
    const notices: string[] = [];
    const result = await agent.run("go", {
      onItem: (item) => item.type === "notice" && notices.push(item.text),
    });
    expect([result.iterations, notices]).toEqual([
      3,
      [
        "A limit stopped the hooks (limits.same_stop_reason): A Stop hook gave the same reason 3 times in a row and the agent called no tool in between.",
      ],
    ]);
  });

  it("are held to the limits of their set as they are now, also when it was configured later", async () => {
    const { agent, hooks } = agentOf([]);
    let count = 0;
    hooks.on("Stop", () => {
      count += 1;
      return keepGoing(`reason ${count}`);
    });
    hooks.configure({ limits: { stop_continuations: 2 } });
    expect(hooks.limits).toMatchObject({ stop_continuations: 2, hook_turns: 8 });
    expect(await agent.run("go")).toMatchObject({ iterations: 3 });
    hooks.configure({ limits: { stop_continuations: 4 } });
    expect(await agent.run("again")).toMatchObject({ iterations: 5 });
  });
});

describe("the iteration limit", () => {
  const calls = Array.from({ length: 5 }, (_, at) => ({ tool_calls: [says(String(at))] }));

  it("ends with one last answer without tools", async () => {
    const tools: unknown[] = [];
    const steps = [
      ...calls.slice(0, 2),
      (request: { tools?: readonly unknown[] }) => {
        tools.push(request.tools);
        return { text: "this far" };
      },
    ];
    const { agent, hooks } = agentOf(steps, { limits: { iterations: 2 } });
    const reasons: unknown[] = [];
    hooks.on("AgentStop", ({ reason }) => {
      reasons.push(reason);
    });
    const result = await agent.run("go");
    expect(result).toMatchObject({ text: "this far", stop_reason: "limit", iterations: 3 });
    expect(tools).toEqual([undefined]);
    expect(reasons).toEqual(["limit"]);
    expect(agent.transcript().at(-1)).toMatchObject({ role: "assistant", ended: "limit" });
  });

  it("gives an answer even when the model calls tools all the same", async () => {
    const { agent } = agentOf(calls, { limits: { iterations: 1 } });
    expect(await agent.run("go")).toMatchObject({
      text: "The limit of 1 iterations was reached before there was an answer.",
      stop_reason: "limit",
    });
    expect(story(agent.transcript()).filter((line) => line.includes("calls"))).toHaveLength(1);
  });

  it("counts across Stop continuations, which it ends", async () => {
    const { agent, hooks } = agentOf([], { limits: { iterations: 3 } });
    let count = 0;
    hooks.on("Stop", () => {
      count += 1;
      return keepGoing(`reason ${count}`);
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "limit", iterations: 4 });
  });
});

describe("a hook that refuses", () => {
  it.each(["UserPromptSubmit", "AgentStart", "PreGeneration", "PreIteration"] as const)(
    "on %s ends the turn with its reason",
    async (event) => {
      const { agent, hooks } = agentOf([{ text: "never" }]);
      const pairs: string[] = [];
      hooks.on(
        ["AgentStart", "AgentStop", "TurnStart", "TurnEnd"],
        { observe: true },
        ({ hook_event_name }) => {
          pairs.push(hook_event_name);
        },
      );
      hooks.on(event, () => deny("not now"));
      expect(await agent.run("go")).toMatchObject({ text: "not now", stop_reason: "denied" });
      expect(pairs).toEqual(
        event === "UserPromptSubmit" ? [] : ["TurnStart", "AgentStart", "AgentStop", "TurnEnd"],
      );
      expect(story(agent.transcript())).toEqual(
        event === "UserPromptSubmit" ? [] : ["user text: go", "assistant text: not now"],
      );
    },
  );

  it.each([
    "SessionStart",
    "UserPromptSubmit",
    "TurnStart",
    "AgentStart",
    "PreGeneration",
    "PreIteration",
    "PreModelRequest",
    "PostModelResponse",
    "PreToolUse",
    "PostToolUse",
    "PostToolBatch",
    "PostIteration",
    "Stop",
    "PostGeneration",
  ] as const)("for good on %s ends the run, and the transcript is valid", async (event) => {
    const { agent, hooks } = agentOf([{ text: "a", tool_calls: [says("x"), says("y")] }]);
    hooks.on(event, () => abort("enough"));
    expect(await agent.run("go")).toMatchObject({ text: "enough", stop_reason: "aborted" });
    const messages = agent.transcript();
    const parts = messages.flatMap<{ type: string }>(({ parts: all }) => all);
    expect(parts.filter(({ type }) => type === "tool_call").length).toBe(
      parts.filter(({ type }) => type === "tool_result").length,
    );
    if (messages.length > 0) expect(messages.at(-1)?.role).toBe("assistant");
  });
});
