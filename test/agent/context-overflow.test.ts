import { createHooks, deny } from "tenterhook";
import { Agent, type AgentItem, type AgentOptions, openModel, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Reply, ServerReply, ServerRequest } from "../../src/know/prove/model/model-server.ts";
import { SERVED_MODELS } from "../support/model-servers/servers.ts";
import { echo, says } from "./support/agents.ts";
import { protocol, servedAgent } from "./support/served.ts";

const MESSAGES: Readonly<Record<string, readonly [status: number, message: string]>> = {
  Anthropic: [400, "prompt is too long: 212345 tokens > 200000 maximum"],
  OpenAI: [
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  Gemini: [400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
  Ollama: [
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  ],
};

const sizeOf = ({ body }: ServerRequest): number => JSON.stringify(body).length;
const isSummary = ({ body }: ServerRequest): boolean =>
  JSON.stringify(body).includes("Summarise the conversation");

/** A server whose model takes so many characters; what is longer is refused as the provider refuses it. */
function narrow(name: string, characters: number, replies: readonly ServerReply[]): readonly Reply[] {
  const [status, message] = MESSAGES[name] ?? [400, ""];
  const left = [...replies];
  const reply = (request: ServerRequest): ServerReply => {
    if (sizeOf(request) > characters) return { error: { status, message } };
    if (isSummary(request)) return { text: "SUMMARY" };
    return left.shift() ?? { text: "Nothing is left." };
  };
  return Array.from({ length: 40 }, () => reply);
}

const huge: Tool = {
  ...echo,
  name: "Huge",
  run: async ({ text }) => ({ content: `${text}${"x".repeat(60_000)}the end` }),
};

describe.each(SERVED_MODELS)("a prompt that is too long for %s", (name, served) => {
  it("is shortened by a summary and sent again", async () => {
    const replies = narrow(name, 12_000, [
      { tool_calls: [{ id: "a", ...says("a".repeat(5000)) }] },
      { tool_calls: [{ id: "b", ...says("b".repeat(5000)) }] },
      { text: "Done." },
    ]);
    const items: AgentItem[] = [];
    const { agent, server } = await servedAgent(served, replies);
    const result = await agent.run("Go.", { onItem: (item) => items.push(item) });
    expect(result).toMatchObject({ text: "Done.", stop_reason: "complete" });
    expect(server.requests.filter(isSummary).length).toBeGreaterThan(0);
    expect(items).toContainEqual(
      expect.objectContaining({ type: "error", error_type: "context_overflow", retry_in_ms: 0 }),
    );
  });

  it("because of one huge result is sent with the result shortened", async () => {
    const replies = narrow(name, 30_000, [
      { tool_calls: [{ id: "h", ...says("begin", "Huge") }] },
      { text: "Done." },
    ]);
    const { agent, server } = await servedAgent(served, replies, { tools: [huge] });
    expect(await agent.run("Go.")).toMatchObject({ text: "Done.", stop_reason: "complete" });
    expect(JSON.stringify(agent.transcript()).length).toBeGreaterThan(60_000);
    expect(sizeOf(server.requests.at(-1) ?? Object({}))).toBeLessThan(30_000);
  });

  it("because of the prompt itself fails, and the next run works", async () => {
    const store = memoryStore();
    const replies = narrow(name, 20_000, [{ text: "Here I am." }, { text: "And again." }]);
    const { agent } = await servedAgent(served, replies, { store });
    expect(await agent.run("p".repeat(50_000))).toMatchObject({
      stop_reason: "error",
      finish_reason: "context_overflow",
      error: { error_type: "context_overflow" },
    });
    expect(await agent.run("Are you there?")).toMatchObject({ text: "Here I am.", stop_reason: "complete" });
    await agent.close();
  });
});

describe("compaction", () => {
  const anthropic = protocol("Anthropic");
  const call = (at: number, input: number): ServerReply => ({
    tool_calls: [{ id: `t${at}`, ...says(`result ${at} ${"x".repeat(200)}`) }],
    usage: { input, output: 10 },
  });

  async function played(replies: readonly ServerReply[], options: Partial<AgentOptions> = {}) {
    const all = narrow("Anthropic", Number.POSITIVE_INFINITY, replies);
    const { agent, server } = await servedAgent(anthropic, all, options);
    const result = await agent.run("Go.");
    return {
      agent,
      result,
      order: server.requests.map((request) => (isSummary(request) ? "summary" : "answer")),
    };
  }

  it("is on by default, at three quarters of the model's window", async () => {
    const below = await played([call(1, 100_000), call(2, 149_000), { text: "Done." }]);
    expect(below.order).toEqual(["answer", "answer", "answer"]);
    const above = await played([call(1, 100_000), call(2, 151_000), { text: "Done." }]);
    expect(above.order).toEqual(["answer", "answer", "summary", "answer"]);
  });

  it("can be turned off", async () => {
    const { order } = await played([call(1, 199_000), call(2, 199_000), { text: "Done." }], {
      context: { compaction: false },
    });
    expect(order).toEqual(["answer", "answer", "answer"]);
  });

  it("never summarises twice in a row, even if the model still counts as much", async () => {
    const calls = Array.from({ length: 6 }, (_, at) => call(at, 190_000));
    const { order } = await played([...calls, { text: "Done." }]);
    expect(order.filter((what) => what === "summary")).toHaveLength(1);
  });

  it("counts what tools returned since the last answer", async () => {
    const replies = narrow("Anthropic", Number.POSITIVE_INFINITY, [
      { text: "Hello." },
      { tool_calls: [{ id: "a", ...says("a", "Huge") }], usage: { input: 100, output: 10 } },
      { text: "Done." },
    ]);
    const { agent, server } = await servedAgent(anthropic, replies, {
      tools: [huge],
      context: { compaction: { threshold_tokens: 5000, keep_tokens: 100 } },
    });
    await agent.run("Hello?");
    await agent.run("Go.");
    expect(server.requests.map(isSummary)).toEqual([false, false, true, false]);
  });

  it("keeps by tokens: one long message does not push out the summary, and short ones stay", async () => {
    const replies = [
      ...Array.from({ length: 10 }, (_, at) => call(at, at === 9 ? 160_000 : 1000)),
      { text: "Done." },
    ];
    const { agent } = await played(replies, { context: { compaction: { keep_tokens: 1_000_000 } } });
    expect(
      agent.transcript().some((message) => message.role === "user" && message.summary_until !== undefined),
    ).toBe(false);
  });

  it("that hooks refuse leaves huge results to be shortened", async () => {
    const hooks = createHooks();
    hooks.on("PreCompact", () => deny("Never."));
    const replies = narrow("Anthropic", 30_000, [
      { tool_calls: [{ id: "h", ...says("begin", "Huge") }] },
      { text: "Done." },
    ]);
    const { agent, server } = await servedAgent(anthropic, replies, { tools: [huge], hooks });
    expect(await agent.run("Go.")).toMatchObject({ text: "Done." });
    expect(server.requests.filter(isSummary)).toHaveLength(0);
  });

  it("works with a summary that is made without a model, when that one refuses too", async () => {
    const left: ServerReply[] = [
      { text: "a".repeat(9000) },
      { text: "b".repeat(9000) },
      { text: "It works." },
    ];
    const reply = (request: ServerRequest): ServerReply =>
      sizeOf(request) > 16_000 || isSummary(request)
        ? { error: { status: 400, message: "prompt is too long: 9 tokens > 8 maximum" } }
        : (left.shift() ?? { text: "Nothing is left." });
    const { agent } = await servedAgent(
      anthropic,
      Array.from({ length: 40 }, () => reply),
    );
    await agent.run("The first task.");
    await agent.run("The second task.");
    expect(await agent.run("The third task.")).toMatchObject({ text: "It works.", stop_reason: "complete" });
  });

  it("an answer that fills the context is continued after it was shortened", async () => {
    const replies = narrow("Anthropic", Number.POSITIVE_INFINITY, [
      { text: "One. ".repeat(500) },
      { text: "Two. ".repeat(500) },
      { text: "The first half,", ends: "overflowed" },
      { text: "the second half." },
    ]);
    const { agent } = await servedAgent(anthropic, replies);
    await agent.run("One?");
    await agent.run("Two?");
    expect(await agent.run("All of it?")).toMatchObject({
      text: "the second half.",
      stop_reason: "complete",
    });
  });

  it("a resumed conversation that is too long is shortened before it is sent", async () => {
    const store = memoryStore();
    const first = await servedAgent(
      anthropic,
      narrow("Anthropic", Number.POSITIVE_INFINITY, [{ text: "a".repeat(9000) }, { text: "b" }]),
      { store },
    );
    await first.agent.run("One.");
    await first.agent.run("Two.");
    await first.agent.close();
    const second = await servedAgent(anthropic, narrow("Anthropic", 8000, [{ text: "Still here." }]));
    const environment = anthropic.environment(second.server);
    const again = await Agent.resume(first.agent.agent_id, {
      model: await openModel(anthropic.model, { environment }),
      store,
      tools: [echo],
      limits: { model_retries: 0 },
    });
    onTestFinished(() => again.close());
    expect(await again.run("Three.")).toMatchObject({ text: "Still here." });
  });
});
