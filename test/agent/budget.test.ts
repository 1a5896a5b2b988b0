import { createHooks, keepGoing } from "tenterhook";
import { Agent, defaultTools, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, story } from "./support/agents.ts";
import { protocol, servedAgent } from "./support/served.ts";

const usage = { input: 60, output: 40 };
const call = (id: string) => ({ tool_calls: [{ id, name: "Echo", input: { text: id } }], usage });

describe("a budget of tokens", () => {
  it("for a run ends it before the next request, and the turn goes on with a higher one", async () => {
    const { agent, server } = await servedAgent(protocol("Anthropic"), [
      call("a"),
      call("b"),
      { text: "Done.", usage },
    ]);
    const result = await agent.run("go", { limits: { tokens: 150 } });
    expect(result).toMatchObject({
      stop_reason: "budget",
      text: "The run has used 200 tokens; its limit is 150.",
      reason: "The run has used 200 tokens; its limit is 150.",
      usage: { total_tokens: 200 },
      iterations: 2,
    });
    expect(server.requests).toHaveLength(2);
    expect(agent.unfinished).toBe(true);
    expect(story(agent.transcript()).at(-1)).toBe("tool answers: b");
    expect(await agent.continue()).toMatchObject({ text: "Done.", stop_reason: "complete" });
    expect(server.requests).toHaveLength(3);
    expect(agent.unfinished).toBe(false);
  });

  it("lets an answer stand that exceeds it", async () => {
    const { agent } = await servedAgent(protocol("Anthropic"), [{ text: "Long.", usage }]);
    expect(await agent.run("go", { limits: { tokens: 10 } })).toMatchObject({
      text: "Long.",
      stop_reason: "complete",
    });
  });

  it("for the session counts what was used before it was resumed, and asks no model any more", async () => {
    const store = memoryStore();
    const limits = { tokens: 150, model_retries: 0 };
    const { agent, server } = await servedAgent(protocol("Anthropic"), [call("a"), call("b")], {
      store,
      limits,
    });
    expect(await agent.run("go")).toMatchObject({
      stop_reason: "budget",
      reason: "The session has used 200 tokens; its limit is 150.",
    });
    await agent.close();
    expect((await store.load(agent.agent_id))?.metadata.status).toBe("suspended");
    const model = scriptedModel([{ text: "Done." }]);
    const same = await Agent.resume(agent.agent_id, { model, store, tools: [echo], limits });
    expect(await same.continue()).toMatchObject({ stop_reason: "budget", usage: { total_tokens: 0 } });
    await same.close();
    expect(server.requests).toHaveLength(2);
    const higher = await Agent.resume(agent.agent_id, {
      model,
      store,
      tools: [echo],
      limits: { tokens: 500 },
    });
    expect(await higher.continue()).toMatchObject({ text: "Done.", stop_reason: "complete" });
    await higher.close();
  });

  it("holds against Stop hooks that keep the turn going", async () => {
    const hooks = createHooks();
    hooks.on("Stop", () => keepGoing("more"));
    const { agent } = await servedAgent(protocol("Anthropic"), [{ text: "a", usage }], { hooks });
    expect(await agent.run("go", { limits: { tokens: 100 } })).toMatchObject({
      stop_reason: "budget",
      iterations: 1,
    });
  });

  it("counts subagents, whose call waits with its parent and goes on with it", async () => {
    const task = {
      id: "t",
      name: "Task",
      input: { agent_type: "general-purpose", task: "look", description: "look" },
    };
    const store = memoryStore();
    const { agent, server } = await servedAgent(
      protocol("Anthropic"),
      [{ tool_calls: [task], usage }, call("a"), { text: "Seen.", usage }, { text: "Done.", usage }],
      { store, tools: [...defaultTools(), echo] },
    );
    const result = await agent.run("go", { limits: { tokens: 150 } });
    expect(result).toMatchObject({ stop_reason: "budget", usage: { total_tokens: 200 } });
    expect(server.requests).toHaveLength(2);
    expect(story(agent.transcript())).toEqual(["user text: go", "assistant calls Task"]);
    expect(await agent.continue()).toMatchObject({ text: "Done.", stop_reason: "complete" });
    expect(story(agent.transcript()).at(2)).toMatch(/^tool answers: Seen\./);
  });

  it("refuses what is not an amount", async () => {
    const { agent } = agentOf([]);
    await expect(agent.run("go", { limits: { tokens: -1 } })).rejects.toMatchObject({
      code: "invalid_option",
    });
    const misspelt = { limits: { token: 1 } };
    await expect(agent.run("go", misspelt as object)).rejects.toMatchObject({ code: "unknown_option" });
  });
});

describe("a budget in US dollars", () => {
  const price = () => 0.03;

  it("ends the run as one of tokens does", async () => {
    const { agent } = await servedAgent(protocol("Anthropic"), [call("a"), call("b")], {
      models: { price },
      limits: { cost_usd: 0.05 },
    });
    expect(await agent.run("go")).toMatchObject({
      stop_reason: "budget",
      reason: "The session has cost $0.06; its limit is $0.05.",
      usage: { cost_usd: 0.06 },
    });
  });

  it("is refused for a model whose price is unknown, before it is asked", async () => {
    const { agent, server } = await servedAgent(protocol("Ollama"), [{ text: "a" }], {
      models: { price: () => undefined },
    });
    expect(await agent.run("go", { limits: { cost_usd: 1 } })).toMatchObject({
      stop_reason: "error",
      error: {
        error_type: "unknown_price",
        message: expect.stringMatching(
          /^The price of ollama\/qwen3:4b is unknown, so its cost can't be limited/,
        ),
      },
    });
    expect(server.requests).toHaveLength(0);
  });
});
