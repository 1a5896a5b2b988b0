import { createHooks } from "tenterhook";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { SERVED_MODELS } from "../support/model-servers/servers.ts";
import { story } from "./support/agents.ts";
import { protocol, servedAgent } from "./support/served.ts";

describe.each(SERVED_MODELS)("an answer as %s sends it", (name, served) => {
  it("that is complete", async () => {
    const { agent } = await servedAgent(served, [{ text: "All of it." }]);
    expect(await agent.run("Go.")).toMatchObject({ stop_reason: "complete", finish_reason: "stop" });
  });

  it("that is cut off says so, in the result and in the transcript", async () => {
    const store = memoryStore();
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("AgentStop", ({ reason }) => {
      ends.push(reason);
    });
    const { agent } = await servedAgent(served, [{ text: "The first half", too_long: true }], {
      store,
      hooks,
    });
    expect(await agent.run("Go.")).toMatchObject({
      text: "The first half",
      stop_reason: "cut_off",
      finish_reason: "length",
    });
    expect(agent.transcript().at(-1)).toMatchObject({ role: "assistant", finish_reason: "length" });
    expect([ends, (await store.load(agent.agent_id))?.metadata.status]).toEqual([["limit"], "limit"]);
    expect(await agent.continue()).toMatchObject({ stop_reason: "cut_off", finish_reason: "length" });
  });

  it("that is refused says so", async () => {
    const { agent } = await servedAgent(served, [{ text: "I can't.", ends: "refused" }]);
    expect(await agent.run("Go.")).toMatchObject({
      text: "I can't.",
      stop_reason: "refused",
      finish_reason: "refusal",
    });
  });

  // Gemini sends the input of a call whole.
  if (name !== "Gemini")
    it("whose tool call is cut off tells the model, and runs nothing", async () => {
      const call = { id: "c", name: "Echo", input: { text: "a long text that has no end" } };
      const { agent, server } = await servedAgent(served, [
        { tool_calls: [call], too_long: true, cut_input: true },
        { text: "Shorter now." },
      ]);
      expect(await agent.run("Go.")).toMatchObject({ text: "Shorter now.", stop_reason: "complete" });
      expect(story(agent.transcript())[2]).toBe(
        "tool fails: The call of Echo did not run: your answer was cut off at its longest length, in the middle of the input. Make the call again with less, in several calls if need be.",
      );
      expect(JSON.stringify(server.requests[1]?.body)).toContain("your answer was cut off");
    });
});

describe("an answer of Anthropic", () => {
  it("that the server paused goes on by itself, and the text is whole", async () => {
    const { agent, server } = await servedAgent(protocol("Anthropic"), [
      { text: "I look at ", ends: "paused" },
      { text: "the pages.", ends: "paused" },
      { text: " Done." },
    ]);
    expect(await agent.run("Go.")).toMatchObject({
      text: "I look at the pages. Done.",
      stop_reason: "complete",
      finish_reason: "stop",
      iterations: 3,
    });
    const { messages } = server.requests[2]?.body ?? {};
    expect(messages).toMatchObject([{ role: "user" }, { role: "assistant" }]);
  });

  it("that pauses without end stops at the limit", async () => {
    const paused = Array.from({ length: 6 }, () => ({ text: "Wait. ", ends: "paused" }) as const);
    const { agent } = await servedAgent(protocol("Anthropic"), paused, {
      limits: { model_retries: 0, iterations: 3 },
    });
    expect(await agent.run("Go.")).toMatchObject({ stop_reason: "limit", finish_reason: "pause" });
  });

  it("that filled the context says so when nothing can be shortened", async () => {
    const { agent } = await servedAgent(protocol("Anthropic"), [{ text: "Half", ends: "overflowed" }]);
    expect(await agent.run("Go.")).toMatchObject({
      text: "Half",
      stop_reason: "cut_off",
      finish_reason: "context_overflow",
    });
  });
});
