import { createHooks, deny, keepGoing, rewrite } from "tenterhook";
import { Agent, type AgentItem, defaultTools, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";
import { both, task } from "./support/tasks.ts";

const SECRET = "the code is 12345678";

/** Everything that a listener gets, as text. */
function listener(): { onItem: (item: AgentItem) => void; received: () => string; types: string[] } {
  const items: AgentItem[] = [];
  const types: string[] = [];
  return {
    types,
    onItem: (item) => {
      items.push(item);
      types.push(item.type);
    },
    received: () => JSON.stringify(items),
  };
}

describe("a hook on PostGeneration", () => {
  it("rewrites the answer that the caller, the listeners, the store and the next turn get", async () => {
    const store = memoryStore();
    let prompt = "";
    const { agent, hooks } = agentOf(
      [
        { text: SECRET },
        (request) => {
          prompt = JSON.stringify(request.prompt);
          return { text: "ok" };
        },
      ],
      { store },
    );
    hooks.on("PostGeneration", ({ result }) => rewrite(String(result).replaceAll(/\d/g, "*")));
    const { onItem, received, types } = listener();
    expect(await agent.run("go", { onItem })).toMatchObject({
      text: "the code is ********",
      stop_reason: "complete",
    });
    expect(story(agent.transcript()).at(-1)).toBe("assistant text: the code is ********");
    expect(received()).not.toContain("12345678");
    // The text comes whole, before its message.
    expect(types.slice(-3)).toEqual(["text_delta", "message", "done"]);
    await agent.run("and?");
    expect(prompt).toContain("****");
    expect(`${prompt}${JSON.stringify(await store.load(agent.agent_id))}`).not.toContain("12345678");
  });

  it("refuses the answer: nobody gets it, and the run ends with denied", async () => {
    const store = memoryStore();
    const { agent, hooks } = agentOf([{ text: SECRET }, { text: "fine" }], { store });
    hooks.on("PostGeneration", ({ result }) =>
      String(result).includes("12345678") ? deny("It has a code.") : undefined,
    );
    const { onItem, received } = listener();
    expect(await agent.run("go", { onItem })).toMatchObject({
      text: "It has a code.",
      reason: "It has a code.",
      stop_reason: "denied",
    });
    expect(story(agent.transcript())).toEqual(["user text: go", "assistant text: It has a code."]);
    expect(`${received()}${JSON.stringify(await store.load(agent.agent_id))}`).not.toContain("12345678");
    expect(await agent.run("again")).toMatchObject({ text: "fine", stop_reason: "complete" });
  });

  it("that fails refuses: it is a gate, and its rewrites are judged again", async () => {
    const { agent, hooks } = agentOf([{ text: SECRET }]);
    hooks.on("PostGeneration", () => {
      throw new Error("broken");
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "denied" });
    const again = agentOf([{ text: "harmless" }]);
    again.hooks.on("PostGeneration", ({ result }) =>
      String(result).includes("12345678") ? deny("no") : undefined,
    );
    again.hooks.on("PostGeneration", ({ result }) => (result === "harmless" ? rewrite(SECRET) : undefined));
    expect(await again.agent.run("go")).toMatchObject({ stop_reason: "denied", text: "no" });
  });

  it("guards an answer that Stop hooks do not accept, too", async () => {
    const { agent, hooks } = agentOf([{ text: SECRET }, { text: "done 99" }]);
    const events: string[] = [];
    hooks.on("Stop", ({ continuations, last_assistant_message, output_messages = [] }) => {
      events.push(`Stop ${last_assistant_message} ${output_messages.length}`);
      return continuations === 0 ? keepGoing("more") : undefined;
    });
    hooks.on("PostGeneration", ({ result }) => {
      events.push(`PostGeneration ${result}`);
      return rewrite(String(result).replaceAll(/\d/g, "*"));
    });
    const { onItem, received } = listener();
    await agent.run("go", { onItem });
    expect(received()).not.toMatch(/code is 12345678|done 99/);
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "assistant text: the code is ********",
      "user text: more",
      "assistant text: done **",
    ]);
    expect(events.filter((text) => text.startsWith("Stop"))).toEqual([`Stop ${SECRET} 1`, "Stop done 99 2"]);
  });

  it("leaves nothing of an answer that is interrupted", async () => {
    const { agent, hooks } = agentOf([{ text: SECRET.repeat(50) }]);
    hooks.on("PostGeneration", () => undefined);
    hooks.on("StreamDelta", () => agent.interrupt());
    hooks.on("PostModelResponse", () => agent.interrupt());
    const { onItem, received } = listener();
    expect(await agent.run("go", { onItem })).toMatchObject({ stop_reason: "cancelled", text: "" });
    expect(received()).not.toContain("12345678");
  });

  it("guards the answer of a subagent, and the last one at the limit", async () => {
    const hooks = createHooks();
    hooks.on("PostGeneration", ({ result }) => rewrite(String(result).replaceAll(/\d/g, "*")));
    const { steps } = both([{ tool_calls: [task()] }, { text: "done" }], [{ text: SECRET }]);
    const { agent } = agentOf(steps, { hooks, tools: defaultTools() });
    const { onItem, received } = listener();
    await agent.run("go", { onItem });
    expect(received()).toContain("the code is ********");
    expect(received()).not.toContain("12345678");
    const { agent: limited } = agentOf([{ text: SECRET }], { hooks, limits: { iterations: 0 } });
    expect(await limited.run("go")).toMatchObject({ text: "the code is ********", stop_reason: "limit" });
  });

  it("text next to tool calls is no answer: it comes whole with its message", async () => {
    const { agent, hooks } = agentOf([{ text: "I look.", tool_calls: [says("a")] }, { text: "done" }]);
    hooks.on("PostGeneration", () => undefined);
    const { onItem, types } = listener();
    await agent.run("go", { onItem });
    expect(types.filter((type) => type === "text_delta" || type === "message")).toEqual([
      "message",
      "text_delta",
      "message",
      "message",
      "text_delta",
      "message",
    ]);
  });

  it("an answer that was not stored before a kill is asked for again", async () => {
    const store = memoryStore();
    const { agent, hooks } = agentOf([{ text: SECRET }], { store });
    let stored: Awaited<ReturnType<typeof store.load>>;
    hooks.on("PostGeneration", async () => {
      stored = await store.load(agent.agent_id);
    });
    await agent.run("go");
    if (stored === undefined) throw new Error("nothing was stored");
    const again = await Agent.resume(stored, { model: scriptedModel([{ text: "fine" }]), tools: [echo] });
    expect(await again.continue()).toMatchObject({ text: "fine" });
    await again.close();
  });
});

it("without such a hook text is streamed as it comes, also with an observer and an async hook", async () => {
  const { agent, hooks } = agentOf([{ text: "a b c d e f g h i j k l m n o p q r s t u v w x y z" }]);
  hooks.on("PostGeneration", { observe: true }, () => undefined);
  hooks.on("PostGeneration", { async: true }, () => undefined);
  hooks.observe({ onDecision: () => {} });
  const { onItem, types } = listener();
  await agent.run("go", { onItem });
  expect(types.filter((type) => type === "text_delta").length).toBeGreaterThan(1);
});
