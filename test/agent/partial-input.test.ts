import { deny, rewrite } from "tenterhook";
import type { AgentItem } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { SERVED_MODELS } from "../support/model-servers/servers.ts";
import { agentOf, echo, says } from "./support/agents.ts";
import { servedAgent } from "./support/served.ts";

type InputDelta = Extract<AgentItem, { readonly type: "tool_input_delta" }>;

function inputsOf(items: readonly AgentItem[]): ReadonlyMap<string, readonly InputDelta[]> {
  const inputs = new Map<string, InputDelta[]>();
  for (const item of items)
    if (item.type === "tool_input_delta")
      inputs.set(item.tool_use_id, [...(inputs.get(item.tool_use_id) ?? []), item]);
  return inputs;
}

async function itemsOf(stream: AsyncIterable<AgentItem>): Promise<readonly AgentItem[]> {
  const items: AgentItem[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe.each(SERVED_MODELS)("the input of a call as %s sends it", (_name, served) => {
  it("is reported while the model writes it, before the call, under the ids of the message and of the call", async () => {
    const calls = [
      { id: "one", name: "Echo", input: { text: "a text that comes in several pieces" } },
      { id: "two", name: "Echo", input: { text: "another one" } },
    ];
    const { agent } = await servedAgent(served, [{ tool_calls: calls }, { text: "done" }]);
    const items = await itemsOf(agent.stream("go"));
    const called = items.filter((item) => item.type === "tool_call");
    const inputs = inputsOf(items);
    expect(
      called.map(({ tool_use_id }) =>
        JSON.parse(
          inputs
            .get(tool_use_id)
            ?.map(({ text }) => text)
            .join("") ?? "",
        ),
      ),
    ).toEqual(calls.map(({ input }) => input));
    expect(new Set([...inputs.values()].flat().map(({ tool_name }) => tool_name))).toEqual(new Set(["Echo"]));
    const answer = items.find((item) => item.type === "message" && item.message.role === "assistant");
    const ids = new Set([...inputs.values()].flat().map(({ message_id }) => message_id));
    expect([...ids]).toEqual([answer?.type === "message" ? answer.message.id : undefined]);
    expect(items.findLastIndex(({ type }) => type === "tool_input_delta")).toBeLessThan(
      items.findIndex(({ type }) => type === "tool_call"),
    );
  });
});

describe("partial input", () => {
  it("has the id that the call gets, also when a model uses an id again", async () => {
    const again = { ...says("b"), id: "call_1" };
    const { agent } = agentOf([
      { tool_calls: [says("a")] },
      { tool_calls: [again, again] },
      { text: "done" },
    ]);
    const items = await itemsOf(agent.stream("go"));
    const called = items.flatMap((item) => (item.type === "tool_call" ? [item.tool_use_id] : []));
    expect(called).toEqual(["call_1", "call_1-2", "call_1-3"]);
    expect([...inputsOf(items).keys()]).toEqual(called);
  });

  it("shows what the model wants, as tool_call does: hooks decide later, and what ran is in the result", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a"), says("b")] }]);
    hooks.on("PreToolUse", ({ tool_input }) => {
      if (tool_input.text === "a") return rewrite({ text: "c" });
      return tool_input.text === "b" ? deny("no") : undefined;
    });
    const items = await itemsOf(agent.stream("go"));
    const [first, second] = items.filter((item) => item.type === "tool_call");
    const inputs = [...inputsOf(items).values()].map((deltas) => deltas.map(({ text }) => text).join(""));
    expect(inputs.map((text) => JSON.parse(text))).toEqual([first?.tool_input, second?.tool_input]);
    expect(items.flatMap((item) => (item.type === "tool_result" ? [item.content] : []))).toEqual(["no", "c"]);
  });

  it("is not reported for calls that are dropped at the limit of iterations", async () => {
    const { agent } = agentOf([{ text: "so", tool_calls: [says("a")] }], {
      limits: { iterations: 0 },
      tools: [echo],
    });
    expect(inputsOf(await itemsOf(agent.stream("go"))).size).toBe(0);
  });
});
