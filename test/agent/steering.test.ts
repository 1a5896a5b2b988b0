import { context, deny, hookInput, rewrite } from "tenterhook";
import { Agent, type SteerResult, scriptedModel, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, promptTexts, says, story } from "./support/agents.ts";

/** A tool during whose call the user says something; it ends after what `also` does. */
function whileWorking(act: () => unknown): Tool {
  return {
    ...echo,
    run: async ({ text }) => {
      act();
      return { content: String(text) };
    },
  };
}

describe("a message that steers a running turn", () => {
  it("joins after the results of the step that runs, and is in the transcript when its promise resolves", async () => {
    let steered: Promise<SteerResult> | undefined;
    let prompt: readonly string[] = [];
    const tool = whileWorking(() => {
      steered ??= agent.steer("Use B instead.");
    });
    const { agent } = agentOf(
      [
        { tool_calls: [says("a"), says("b")] },
        (request) => {
          prompt = promptTexts(request.prompt).slice(-1);
          return { text: "B it is." };
        },
      ],
      { tools: [tool] },
    );
    expect(await agent.run("Use A.")).toMatchObject({ text: "B it is.", stop_reason: "complete" });
    expect(await steered).toEqual({ status: "joined" });
    expect(prompt).toEqual(['user: [{"type":"text","text":"Use B instead."}]']);
    expect(story(agent.transcript())).toEqual([
      "user text: Use A.",
      "assistant calls Echo",
      "assistant calls Echo",
      "tool answers: a",
      "tool answers: b",
      "user text: Use B instead.",
      "assistant text: B it is.",
    ]);
    expect(new Set(agent.transcript().map(({ turn_id }) => turn_id)).size).toBe(1);
  });

  it("keeps the turn going when the model has just answered; Stop hooks are asked once, about the last answer", async () => {
    const { agent, hooks } = agentOf([{ text: "Done." }, { text: "Also done." }]);
    const stops: unknown[] = [];
    hooks.on("Stop", ({ last_assistant_message }) => {
      stops.push(last_assistant_message);
    });
    const steered: Promise<SteerResult>[] = [];
    const result = await agent.run("go", {
      onItem: ({ type }) => {
        if (type === "text_delta" && steered.length === 0)
          steered.push(agent.steer("And that?"), agent.steer("And this?"));
      },
    });
    expect(result).toMatchObject({ text: "Also done.", iterations: 2 });
    expect(stops).toEqual(["Also done."]);
    expect(await Promise.all(steered)).toEqual([{ status: "joined" }, { status: "joined" }]);
  });

  it("joins while Stop hooks run, too", async () => {
    const { agent, hooks } = agentOf([{ text: "Done." }, { text: "Also done." }]);
    let steered: Promise<SteerResult> | undefined;
    hooks.on("Stop", () => {
      steered ??= agent.steer("And that?");
    });
    expect(await agent.run("go")).toMatchObject({ text: "Also done." });
    expect(await steered).toEqual({ status: "joined" });
  });

  it("passes UserPromptSubmit hooks, which rewrite it, add context and refuse it", async () => {
    const steered: Promise<SteerResult>[] = [];
    const tool = whileWorking(() => {
      steered.push(agent.steer("the key is 1234"), agent.steer("forbidden"));
    });
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }, { text: "ok" }], { tools: [tool] });
    hooks.on("UserPromptSubmit", ({ prompt }) => {
      if (prompt === "forbidden") return deny("not that");
      if (prompt === "go") return undefined;
      return [rewrite(prompt.replace("1234", "***")), context("a secret was removed")];
    });
    await agent.run("go");
    expect(await Promise.all(steered)).toEqual([
      { status: "joined" },
      { status: "denied", reason: "not that" },
    ]);
    expect(story(agent.transcript()).slice(2)).toEqual([
      "tool answers: a",
      "user text: the key is ***",
      "user context: a secret was removed",
      "assistant text: ok",
    ]);
  });

  it("is not lost when the run ends first: the result says so", async () => {
    const { agent, hooks } = agentOf([{ text: "Done." }]);
    let late: Promise<SteerResult> | undefined;
    hooks.on("TurnEnd", () => {
      late = agent.steer("Too late.");
    });
    await agent.run("go");
    expect(await late).toEqual({ status: "not_joined", reason: "The run ended before its next step." });
    expect(await agent.steer("Much too late.")).toEqual({
      status: "not_joined",
      reason: "No run is under way.",
    });
    expect(story(agent.transcript())).toEqual(["user text: go", "assistant text: Done."]);
  });

  it("is not joined by an interrupted run, nor at the limit of iterations", async () => {
    let steered: Promise<SteerResult> | undefined;
    const tool = whileWorking(() => {
      steered = agent.steer("more");
      agent.interrupt();
    });
    const { agent } = agentOf([{ tool_calls: [says("a")] }], { tools: [tool] });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "cancelled" });
    expect(await steered).toMatchObject({ status: "not_joined" });

    const { agent: limited } = agentOf([{ text: "last words" }], { limits: { iterations: 0 } });
    const result = await limited.run("go", {
      onItem: ({ type }) => {
        if (type === "text_delta") steered = limited.steer("more");
      },
    });
    expect(result).toMatchObject({ stop_reason: "limit" });
    expect(await steered).toMatchObject({ status: "not_joined" });
  });

  it("joins the turn that a hook starts next", async () => {
    const { agent, hooks } = agentOf([{ text: "one" }, { text: "two" }]);
    let steered: Promise<SteerResult> | undefined;
    hooks.on("TurnEnd", ({ is_hook_input_turn }) => {
      if (is_hook_input_turn) return undefined;
      steered = agent.steer("and this");
      return hookInput("go on");
    });
    await agent.run("go");
    expect(await steered).toEqual({ status: "joined" });
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "assistant text: one",
      "user hook_input: go on",
      "user text: and this",
      "assistant text: two",
    ]);
  });

  it("survives a kill: the resumed turn goes on with it", async () => {
    const store = memoryStore();
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "never", delay_ms: 60_000 }], {
      store,
      tools: [whileWorking(() => agent.steer("Use B."))],
    });
    const running = agent.run("Use A.");
    await expect.poll(() => story(agent.transcript()).at(-1)).toBe("user text: Use B.");
    const killed = await store.load(agent.agent_id);
    agent.interrupt();
    await running;
    let prompt: readonly string[] = [];
    const again = await Agent.resume(killed ?? "", {
      model: scriptedModel([
        (request) => {
          prompt = promptTexts(request.prompt);
          return { text: "B." };
        },
      ]),
      tools: [echo],
    });
    expect(await again.continue()).toMatchObject({ text: "B." });
    await again.close();
    expect(prompt.at(-1)).toBe('user: [{"type":"text","text":"Use B."}]');
  });

  it("needs a text, and an agent that is not closed", async () => {
    const { agent } = agentOf([]);
    await expect(agent.steer(" ")).rejects.toMatchObject({ code: "invalid_option" });
    await agent.close();
    await expect(agent.steer("x")).rejects.toMatchObject({ code: "agent_closed" });
  });
});
