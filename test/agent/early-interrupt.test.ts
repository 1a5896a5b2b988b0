import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { context as rules } from "tenterhook";
import { scriptedModel } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, scratch, story } from "./support/agents.ts";

/** A hook that ends with its signal, and not by itself. */
const untilAborted = (_event: unknown, { signal }: { readonly signal: AbortSignal }) =>
  new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));

describe("an interrupt before there is a turn", () => {
  it("right after the run began ends it before the model is asked", async () => {
    let asked = 0;
    const { agent } = agentOf([
      () => {
        asked += 1;
        return { text: "hi" };
      },
    ]);
    const running = agent.run("go");
    agent.interrupt("Esc");
    expect([(await running).stop_reason, asked]).toEqual(["cancelled", 0]);
    expect(await agent.run("and now?")).toMatchObject({ stop_reason: "complete", text: "hi" });
  });

  it.each(["interrupt", "signal"])("by %s ends SessionStart hooks", async (how) => {
    const { agent, hooks } = agentOf([{ text: "hi" }]);
    const controller = new AbortController();
    let starts = 0;
    hooks.on("SessionStart", { timeout: 600 }, (event, context) => {
      starts += 1;
      if (starts > 1) return rules("Speak of cats.");
      setTimeout(() => (how === "signal" ? controller.abort() : agent.interrupt()));
      return untilAborted(event, context);
    });
    expect(await agent.run("go", { signal: controller.signal })).toMatchObject({ stop_reason: "cancelled" });
    // The session has not heard its start: the next run tells it again.
    expect(await agent.run("and now?")).toMatchObject({ stop_reason: "complete" });
    expect(story(agent.transcript())).toEqual([
      "user text: and now?",
      "user context: Speak of cats.",
      "assistant text: hi",
    ]);
  });

  it("does not wait for a model that is being looked for", async () => {
    const { agent } = agentOf([], { model: "slow", models: { resolveModel: () => new Promise(() => {}) } });
    const running = agent.run("go");
    agent.interrupt("Esc");
    expect(await running).toMatchObject({ stop_reason: "cancelled", iterations: 0 });
  });

  it("by closing the agent ends the run: no tool runs, no model is asked", async () => {
    let ran = 0;
    const boom = {
      ...echo,
      name: "Boom",
      run: async () => {
        ran += 1;
        return { content: "ok" };
      },
    };
    const { agent, hooks } = agentOf([{ tool_calls: [says("a", "Boom")] }], { tools: [boom] });
    const ends: unknown[] = [];
    hooks.on(["SessionStart", "SessionEnd"], ({ hook_event_name }) => {
      ends.push(hook_event_name);
    });
    const running = agent.run("go");
    await agent.close();
    expect([ran, (await running).stop_reason, ends]).toEqual([0, "cancelled", []]);
  });
});

it("a session that could not be opened is opened by the next try", async () => {
  const cwd = scratch();
  const { agent } = agentOf([], {
    cwd,
    model: "late",
    models: {
      resolveModel: (name) => {
        if (!readdirSync(cwd).includes(name)) throw new Error(`There is no ${name}.`);
        return scriptedModel([{ text: "found" }]);
      },
    },
  });
  await expect(agent.run("go")).rejects.toThrow("There is no late.");
  writeFileSync(join(cwd, "late"), "");
  expect(await agent.run("go")).toMatchObject({ text: "found" });
});

it("what the user said stands in the conversation when TurnStart hooks are interrupted, and what hooks said comes later", async () => {
  const { agent, hooks } = agentOf([]);
  hooks.on("TurnStart", { once: true, timeout: 600 }, (event, context) => {
    agent.interrupt("Esc");
    return untilAborted(event, context);
  });
  await agent.run("important");
  await agent.run("and now?");
  expect(story(agent.transcript())).toEqual([
    "user text: important",
    "assistant text: [Interrupted: Esc]",
    "user text: and now?",
    "assistant text: done",
  ]);
});

it("an interrupt by whoever is told of a tool call comes before its gates: no PreToolUse hook is asked", async () => {
  const { agent, hooks } = agentOf([{ tool_calls: [says("a"), says("b")] }]);
  const asked: unknown[] = [];
  hooks.on("PreToolUse", ({ tool_use_id }) => {
    asked.push(tool_use_id);
  });
  const { stop_reason } = await agent.run("go", {
    onItem: ({ type }) => {
      if (type === "tool_call") agent.interrupt("Esc");
    },
  });
  expect([stop_reason, asked]).toEqual(["cancelled", []]);
});
