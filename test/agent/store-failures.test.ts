import { createHooks } from "tenterhook";
import type { AgentStore } from "tenterhook/agent";
import { memoryStore, type TranscriptStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, says } from "./support/agents.ts";

/** A store that fails on some of its appends, counted from 1. */
function failing(fails: (append: number) => boolean): { store: AgentStore; memory: TranscriptStore } {
  const memory = memoryStore();
  let count = 0;
  const store: AgentStore = {
    ...memory,
    append: async (message, owner) => {
      count += 1;
      if (fails(count)) throw new Error("The disk is full.");
      await memory.append(message, owner);
    },
  };
  return { store, memory };
}

describe("a message that could not be kept is kept before the next one", () => {
  it.each([1, 2, 3, 4])(
    "a message that could not be stored when append %i failed is stored before the next one",
    async (bad) => {
      const { store, memory } = failing((append) => append === bad);
      const call = { tool_calls: [says("a")] };
      const { agent } = agentOf([call, { text: "one" }, { text: "two" }], { store });
      expect(await agent.run("q1")).toMatchObject({
        stop_reason: "error",
        error: { error_type: "store_failed" },
      });
      expect(await agent.run("q2")).toMatchObject({ stop_reason: "complete" });
      expect((await memory.load(agent.agent_id))?.messages).toEqual(agent.transcript());
    },
  );

  it("and listeners get each message once, when it is stored", async () => {
    const { store } = failing((append) => append === 2);
    const { agent } = agentOf([{ text: "one" }, { text: "two" }], { store });
    const appended: string[] = [];
    const onItem = (item: { readonly type: string; readonly message?: unknown }) => {
      const { message } = item;
      if (item.type === "message" && typeof message === "object" && message !== null && "id" in message)
        appended.push(String(message.id));
    };
    await agent.run("q1", { onItem });
    await agent.run("q2", { onItem });
    expect(appended).toEqual(agent.transcript().map(({ id }) => id));
  });

  it("at the latest when the agent is closed", async () => {
    const { store, memory } = failing((append) => append >= 2 && append <= 4);
    const { agent } = agentOf([{ text: "one" }], { store });
    await agent.run("q1");
    expect((await memory.load(agent.agent_id))?.messages).toHaveLength(1);
    await agent.close();
    expect((await memory.load(agent.agent_id))?.messages).toEqual(agent.transcript());
  });
});

it("there is no checkpoint as long as something is not kept", async () => {
  let broken = true;
  const { store } = failing(() => broken);
  const hooks = createHooks();
  const fired: unknown[] = [];
  hooks.on("Checkpoint", ({ checkpoint_type, checkpoint_id, message_count }) => {
    fired.push([checkpoint_type, checkpoint_id, message_count]);
  });
  const { agent } = agentOf([{ text: "one" }, { text: "two" }], { store, hooks });
  await agent.run("q1");
  expect([await agent.checkpoint(), fired]).toEqual([undefined, []]);
  broken = false;
  const last = agent.transcript()[1]?.id;
  expect([await agent.checkpoint(), fired]).toEqual([last, [["manual", last, 2]]]);
});

it("a summary that can't be kept is a failure callers can read, and is kept with the next message", async () => {
  const { store, memory } = failing((append) => append === 5);
  const steps = [{ text: "one" }, { text: "two" }, { text: "summary" }, { text: "three" }];
  const { agent } = agentOf(steps, { store, context: { compaction: { keep_tokens: 1 } } });
  await agent.run("q1");
  await agent.run("q2");
  await expect(agent.compact()).rejects.toMatchObject({
    code: "store_failed",
    message: "The conversation could not be stored: The disk is full.",
  });
  expect((await agent.run("q3")).text).toBe("three");
  expect((await memory.load(agent.agent_id))?.messages).toEqual(agent.transcript());
});
