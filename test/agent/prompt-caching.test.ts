import { describe, expect, it } from "vitest";
import { SERVED_MODELS } from "../support/model-servers/servers.ts";
import { says } from "./support/agents.ts";
import { protocol, servedAgent } from "./support/served.ts";

const replies = [
  { tool_calls: [{ id: "a", ...says("a") }], usage: { input: 100, output: 30, cache_write: 80 } },
  { text: "Done.", usage: { input: 150, output: 20, cache_read: 80, cache_write: 40 } },
];

describe("prompts for Anthropic", () => {
  const marks = (value: unknown): number => JSON.stringify(value ?? "").split("cache_control").length - 1;

  it("are marked for its cache: system, tools and the growing prefix", async () => {
    const { agent, server } = await servedAgent(protocol("Anthropic"), replies, {
      system_prompt: "Be brief.",
    });
    const { usage } = await agent.run("Go.");
    for (const { body } of server.requests) {
      const messages: unknown = body.messages;
      const list = Array.isArray(messages) ? messages : [];
      expect([marks(body.system), marks(body.tools), list.map(marks)]).toEqual([
        1,
        1,
        list.map((_, at) => (at === list.length - 1 ? 1 : 0)),
      ]);
    }
    expect(usage).toMatchObject({ input_tokens: 250, cached_tokens: 80, cache_write_tokens: 120 });
  });

  it("are not marked when it is switched off", async () => {
    const { agent, server } = await servedAgent(protocol("Anthropic"), replies, {
      models: { prompt_caching: false },
    });
    await agent.run("Go.");
    expect(server.requests.map(({ body }) => marks(body))).toEqual([0, 0]);
  });
});

it.each(SERVED_MODELS.filter(([name]) => name !== "Anthropic"))(
  "usage of %s counts what was read from the cache and what the model thought",
  async (_, served) => {
    const { agent } = await servedAgent(served, [
      { text: "Done.", usage: { input: 100, output: 50, cache_read: 60, reasoning: 20 } },
    ]);
    expect((await agent.run("Go.")).usage).toMatchObject({
      input_tokens: 100,
      output_tokens: 50,
      cached_tokens: 60,
      reasoning_tokens: 20,
    });
  },
);
