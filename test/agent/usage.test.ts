import { createHooks } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it, onTestFinished } from "vitest";
import { agentOf, echo, says } from "./support/agents.ts";
import { both, copyOf, task, toolsWith } from "./support/tasks.ts";

type Model = ReturnType<typeof scriptedModel>;
type Piece =
  Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type Usage = Extract<Piece, { readonly type: "finish" }>["usage"];

function tokens(input: number, output: number): Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

function finish(unified: "stop" | "error", usage: Usage): Piece {
  return { type: "finish", finishReason: { unified, raw: undefined }, usage };
}

/** A model whose answers are the given pieces, one list for each call; a stream without a finish stays open. */
function modelOf(answers: readonly (readonly Piece[])[]): Model {
  const script = scriptedModel([]);
  let calls = 0;
  return {
    ...script,
    doStream: async () => {
      const pieces = answers[calls] ?? [];
      calls += 1;
      return {
        stream: new ReadableStream({
          start: (controller) => {
            for (const piece of pieces) controller.enqueue(piece);
            if (pieces.at(-1)?.type === "finish") controller.close();
          },
        }),
      };
    },
  };
}

const spoken = (text: string): Piece => ({ type: "text-delta", id: "1", delta: text });
const broken: Piece = { type: "error", error: new Error("it broke") };
const price = () => 0.5;
const noRetry = { model_retries: 0 };

it("counts what a failed answer has used, and what it cost, beside that of the one that followed", async () => {
  const model = modelOf([[spoken("ha"), finish("error", tokens(100, 10))]]);
  const other = modelOf([[spoken("fine"), finish("stop", tokens(30, 3))]]);
  const { agent } = agentOf([], { model, models: { fallback: [other], price }, limits: noRetry });
  const totals: unknown[] = [];
  const { text, usage } = await agent.run("go", {
    onItem: (item) => item.type === "usage" && totals.push(item.usage.total_tokens),
  });
  const all = { input_tokens: 130, output_tokens: 13, total_tokens: 143, cached_tokens: 0, cost_usd: 1 };
  expect([text, usage, agent.usage, totals]).toEqual(["fine", all, all, [110, 143]]);
});

it("has totals also when no answer came: an error may be told before what was used", async () => {
  const model = modelOf([[spoken("ha"), broken, finish("error", tokens(100, 10))]]);
  const { agent } = agentOf([], { model, models: { price }, limits: noRetry });
  expect(await agent.run("go")).toMatchObject({
    stop_reason: "error",
    error: { message: "it broke" },
    usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110, cached_tokens: 0, cost_usd: 0.5 },
  });
});

it("counts nothing where the provider tells nothing, and does not wait long for it", async () => {
  const model = modelOf([[spoken("ha"), broken]]);
  const { agent } = agentOf([], { model, models: { price }, limits: noRetry });
  expect(await agent.run("go")).toMatchObject({
    error: { message: "it broke" },
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0, cached_tokens: 0 },
  });
  expect(agent.usage).not.toHaveProperty("cost_usd");
});

it("counts the summary of a conversation that was shortened", async () => {
  const model = modelOf([
    [spoken("one"), finish("stop", tokens(10, 1))],
    [spoken("two"), finish("stop", tokens(20, 2))],
    [spoken("a summary"), finish("stop", tokens(40, 4))],
  ]);
  const { agent } = agentOf([], { model, context: { compaction: { keep_tokens: 1 } } });
  await agent.run("first");
  await agent.run("second");
  expect([await agent.compact(), agent.usage.total_tokens]).toEqual([true, 77]);
});

it("what a subagent used before a kill counts for its parent, in the session and in its budget", async () => {
  const store = memoryStore();
  const { steps } = both(
    [{ tool_calls: [task()] }, { text: "Done." }],
    [{ tool_calls: [says("a")] }, { text: "Seen." }],
  );
  const hooks = createHooks();
  let killed = memoryStore();
  hooks.on("PostToolUse", { tools: "Echo" }, async () => {
    killed = await copyOf(store);
  });
  const tools = toolsWith(echo);
  const { agent } = agentOf(steps, { store, hooks, tools, models: { price } });
  await agent.run("Delegate.");
  // One call of the parent and one of the child.
  const spent = (await killed.load(agent.agent_id))?.metadata.usage;
  expect(spent?.cost_usd).toBe(1);
  const model = scriptedModel([{ text: "Seen." }, { text: "Done." }]);
  const limits = { cost_usd: 1 };
  const again = await Agent.resume(agent.agent_id, {
    model,
    store: killed,
    tools,
    models: { price },
    limits,
  });
  onTestFinished(() => again.close());
  expect(await again.continue()).toMatchObject({ stop_reason: "budget" });
});

it("events say how full the context is, for the model of the moment, until a compaction makes it unknown", async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  const note = (name: string, usage: unknown): void => {
    const { context_tokens, context_window, context_left } = Object(usage);
    seen.push([name, context_tokens, context_window, context_left]);
  };
  hooks.on("UserPromptSubmit", ({ usage }) => note("prompt", usage));
  hooks.on("Stop", ({ usage }) => note("stop", usage));
  const answer = [spoken("fine"), finish("stop", tokens(200, 50))];
  const small = { ...modelOf([answer]), modelId: "small" };
  const large = {
    ...modelOf([
      answer,
      [spoken("A summary."), finish("stop", tokens(9, 9))],
      [spoken("fine"), finish("stop", tokens(300, 100))],
    ]),
    modelId: "large",
  };
  const contextWindow = (name: string) => (name.includes("small") ? 1000 : 10_000);
  const { agent } = agentOf([], {
    hooks,
    model: small,
    models: { contextWindow },
    context: { compaction: { keep_tokens: 0 } },
  });
  await agent.run("one");
  await agent.switchModel(large);
  await agent.run("two");
  await agent.compact();
  await agent.run("three");
  expect(seen).toEqual([
    ["prompt", undefined, undefined, undefined],
    ["stop", 250, 1000, 0.75],
    ["prompt", 250, 10_000, 0.975],
    ["stop", 250, 10_000, 0.975],
    ["prompt", undefined, undefined, undefined],
    ["stop", 400, 10_000, 0.96],
  ]);
});
