import { createHooks } from "tenterhook";
import { type AgentOptions, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, story } from "./support/agents.ts";

/** An agent after two turns whose summary is being written until somebody lets the model answer. */
async function compacting(options: Partial<AgentOptions> = {}) {
  let finish = (): void => {};
  const answer = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let tellAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  const summary = async () => {
    tellAsked();
    await answer;
    return { text: "SUMMARY" };
  };
  const { agent } = agentOf([{ text: "One." }, { text: "Two." }, summary, { text: "Three." }], {
    context: { compaction: { keep_tokens: 1 } },
    ...options,
  });
  await agent.run("first");
  await agent.run("second");
  const compacted = agent.compact();
  await asked;
  return { agent, compacted, finish };
}

describe.each([
  ["without a store", () => ({})],
  ["with a store", () => ({ store: memoryStore() })],
])("while a conversation is shortened, %s", (_, options) => {
  it("no task is begun and no second summary", async () => {
    const { agent, compacted, finish } = await compacting(options());
    const message = `The agent ${agent.agent_id} is shortening its conversation.`;
    await expect(agent.run("third")).rejects.toMatchObject({ code: "agent_busy", message });
    await expect(agent.compact()).rejects.toMatchObject({ code: "agent_busy", message });
    finish();
    expect(await compacted).toBe(true);
    expect((await agent.run("third")).text).toBe("Three.");
    expect(story(agent.transcript()).filter((line) => line.includes("SUMMARY"))).toHaveLength(1);
  });

  it("the text of a client waits for it", async () => {
    const { agent, compacted, finish } = await compacting(options());
    const submitted = agent.submitHookInput({ hook: "client", text: "third" });
    finish();
    expect([await compacted, (await submitted).text]).toEqual([true, "Three."]);
  });
});

it("close() waits until the summary is kept, and SessionEnd with it", async () => {
  const hooks = createHooks();
  const events: string[] = [];
  hooks.on("SessionEnd", () => {
    events.push("SessionEnd");
  });
  let closing: Promise<void> | undefined;
  const store = memoryStore();
  const slow: AgentOptions["store"] = {
    ...store,
    append: async (message, owner) => {
      if (message.role === "user" && message.summary_until !== undefined) {
        closing = agent.close();
        await new Promise(setImmediate);
        events.push("kept");
      }
      return store.append(message, owner);
    },
  };
  const { agent, finish, compacted } = await compacting({ hooks, store: slow });
  finish();
  await compacted.catch(() => {});
  await closing;
  expect(events).toEqual(["kept", "SessionEnd"]);
});

it("an agent that was closed shortens nothing and takes no other model, and no session starts", async () => {
  const hooks = createHooks();
  const events: string[] = [];
  hooks.on(["SessionStart", "SessionEnd", "ModelSwitch", "PreCompact"], ({ hook_event_name }) => {
    events.push(hook_event_name);
  });
  const { agent } = agentOf([], { hooks });
  await agent.close();
  const closed = { code: "agent_closed", message: `The agent ${agent.agent_id} was closed.` };
  await expect(agent.compact()).rejects.toMatchObject(closed);
  await expect(agent.switchModel(scriptedModel([], "other"))).rejects.toMatchObject(closed);
  expect(events).toEqual([]);
});

it("a task that is refused is no prompt: the ceiling on turns of clients holds", async () => {
  let refused: unknown;
  const busy = async () => {
    refused = await agent.run("beside it").catch((error: unknown) => error);
    return { text: "Two." };
  };
  const { agent } = agentOf([{ text: "One." }, busy], { limits: { hook_turns: 1 } });
  await agent.run("first");
  await agent.submitHookInput({ hook: "client", text: "go on" });
  expect(refused).toMatchObject({ code: "agent_busy" });
  await expect(agent.submitHookInput({ hook: "client", text: "and on" })).rejects.toMatchObject({
    code: "hook_turn_limit",
  });
});
