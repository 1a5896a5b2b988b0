import { createHooks } from "tenterhook";
import {
  Agent,
  type AgentItem,
  type ContinueOptions,
  defaultTools,
  type StreamOptions,
  scriptedModel,
} from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, reply } from "./support/agents.ts";

const question = { name: "AskUserQuestion", input: { questions: [{ question: "Which?" }] } };
const tools = [...defaultTools(), echo];

async function typesOf(items: AsyncIterable<AgentItem>): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const item of items) types.push(item.type);
  return types;
}

describe("continueStream", () => {
  it("yields what continue does: here the rest of a turn that waited for a human", async () => {
    const store = memoryStore();
    const { agent } = agentOf([{ tool_calls: [question] }], { store, tools, suspend: true });
    expect(await typesOf(agent.stream("Do it."))).toContain("done");
    await agent.close();
    const again = await Agent.resume(agent.agent_id, {
      model: scriptedModel([{ text: "B." }]),
      tools,
      store,
      hooks: createHooks(),
    });
    const items: AgentItem[] = [];
    for await (const item of again.continueStream({ ...reply(again, "B"), close: true })) items.push(item);
    expect(items.map(({ type }) => type)).toEqual([
      "turn_start",
      "tool_call",
      "tool_result",
      "message",
      "text_delta",
      "usage",
      "message",
      "done",
    ]);
    expect(items.at(-1)).toMatchObject({ result: { text: "B.", stop_reason: "complete" } });
    await expect(again.run("more")).rejects.toMatchObject({ code: "agent_closed" });
  });

  it("refuses an answer to a call that does not wait, before anything happens", async () => {
    const { agent } = agentOf([{ text: "a" }]);
    await agent.run("go");
    const late = agent.continueStream({ tool_use_id: "call_1", approval: true });
    await expect(typesOf(late)).rejects.toMatchObject({ code: "not_waiting" });
  });

  it("interrupts the turn when the reader leaves", async () => {
    const store = memoryStore();
    const { agent } = agentOf([{ tool_calls: [question] }], { store, tools, suspend: true });
    await agent.run("Do it.");
    await agent.close();
    const again = await Agent.resume(agent.agent_id, {
      model: scriptedModel([{ text: "never heard", delay_ms: 60_000 }]),
      tools,
      store,
    });
    for await (const { type } of again.continueStream(reply(again, "B"))) if (type === "tool_result") break;
    expect(again.transcript().at(-1)).toMatchObject({ role: "assistant", ended: "cancelled" });
    await again.close();
  });
});

describe("an unknown option", () => {
  const misspelt: ContinueOptions & { readonly signl: AbortSignal } = { signl: new AbortController().signal };
  const onItem: StreamOptions & { readonly onItem: () => void } = { onItem: () => {} };

  it.each([
    ["run", (agent: Agent) => agent.run("go", misspelt)],
    ["stream", (agent: Agent) => typesOf(agent.stream("go", misspelt))],
    ["continue", (agent: Agent) => agent.continue(misspelt)],
    ["continueStream", (agent: Agent) => typesOf(agent.continueStream(misspelt))],
    ["compact", (agent: Agent) => agent.compact(misspelt)],
  ])("of %s is refused before anything runs", async (method, call) => {
    const { agent } = agentOf([{ text: "a" }]);
    await expect(call(agent)).rejects.toMatchObject({
      code: "unknown_option",
      message: expect.stringMatching(new RegExp(`^agent\\.${method}.*signl`)),
    });
    expect(agent.transcript()).toEqual([]);
  });

  it.each([
    ["stream", (agent: Agent) => typesOf(agent.stream("go", onItem))],
    ["continueStream", (agent: Agent) => typesOf(agent.continueStream(onItem))],
  ])("%s has no onItem: it is the listener", async (_method, call) => {
    const { agent } = agentOf([{ text: "a" }]);
    await expect(call(agent)).rejects.toMatchObject({ code: "unknown_option" });
  });

  it("a signal that is none, options that are none", async () => {
    const { agent } = agentOf([{ text: "a" }]);
    const wrong: unknown = { signal: "soon" };
    await expect(agent.run("go", wrong as object)).rejects.toMatchObject({ code: "invalid_option" });
    const text: unknown = "soon";
    await expect(agent.run("go", text as object)).rejects.toMatchObject({ code: "invalid_option" });
  });
});
