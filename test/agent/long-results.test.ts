import type { Tool } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";

const LONG = "x".repeat(3_000_000);

/** The results of a conversation that calls a tool once, and their lengths as hooks got them. */
async function called(run: Tool["run"]) {
  const { agent, hooks } = agentOf([{ tool_calls: [says("")] }, { text: "Fine." }], {
    tools: [{ ...echo, run }],
  });
  const lengths: number[] = [];
  hooks.on("PostToolUse", ({ tool_response }) => {
    lengths.push(String(tool_response).length);
  });
  expect((await agent.run("go")).text).toBe("Fine.");
  const contents = agent
    .transcript()
    .flatMap(({ parts }) => parts.map((part) => ("content" in part ? part.content : "")));
  return { content: contents.find((text) => text !== "") ?? "", lengths };
}

describe("a result that is too long for any model is cut, and says so", () => {
  it("when the tool answers it; hooks see what the model sees", async () => {
    const { content, lengths } = await called(async () => ({ content: LONG }));
    expect(content.length).toBeLessThanOrEqual(1_000_000);
    expect(content.slice(-50)).toMatch(/x\n\[… 2000100 more characters left out …\]$/);
    expect(lengths).toEqual([content.length]);
  });

  it("an error of a tool that is too long for any model is cut, and says so", async () => {
    const { content } = await called(async () => {
      throw new Error(LONG);
    });
    expect(content.length).toBeLessThanOrEqual(1_000_000);
  });

  it("a background result that is too long for any model is cut, and says so", async () => {
    const later: Tool["run"] = async (_, { host }) => {
      host.deliverLater?.(Promise.resolve({ content: LONG }));
      return { content: "begun" };
    };
    const { agent } = agentOf([{ tool_calls: [says("")] }, { text: "Fine." }], {
      tools: [{ ...echo, run: later }],
    });
    expect((await agent.run("go")).text).toBe("Fine.");
    expect(JSON.stringify(agent.transcript()).length).toBeLessThan(1_010_000);
  });

  it("and one that is not stays as it is", async () => {
    const { content } = await called(async () => ({ content: LONG.slice(0, 1_000_000) }));
    expect(content.length).toBe(1_000_000);
  });
});

it("what comes later and is not a result is reported as a failed one, and the agent continues", async () => {
  const later: Tool["run"] = async (_, { host }) => {
    if (host.deliverLater !== undefined) Reflect.apply(host.deliverLater, host, [Promise.resolve(undefined)]);
    return { content: "begun" };
  };
  const { agent } = agentOf([{ tool_calls: [says("")] }, { text: "Fine." }], {
    tools: [{ ...echo, run: later }],
  });
  expect(await agent.run("go")).toMatchObject({ stop_reason: "complete", text: "Fine." });
  expect(story(agent.transcript())).toContain(
    "user text: Echo (call_1), which ran in the background, failed:\nEcho returned no valid result: a result needs content, which must be a string or a list of parts.",
  );
});
