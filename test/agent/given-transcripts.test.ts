import { Agent, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, story } from "./support/agents.ts";

/** What one store keeps of an agent that has answered twice. */
async function talked() {
  const store = memoryStore();
  const { agent } = agentOf([{ text: "One." }, { text: "Two." }], { store });
  await agent.run("First?");
  const shorter = await store.load(agent.agent_id);
  await agent.run("Second?");
  await agent.close();
  const stored = await store.load(agent.agent_id);
  if (stored === undefined || shorter === undefined) throw new Error("Nothing was kept.");
  return { stored, shorter };
}

const WHOLE = [
  "user text: First?",
  "assistant text: One.",
  "user text: Second?",
  "assistant text: Two.",
  "user text: And now?",
  "assistant text: Three.",
];

it.each([0, 1, 3])(
  "a transcript that another store was given only %i messages of is there as a whole when it is given again",
  async (count) => {
    const { stored } = await talked();
    const store = memoryStore();
    let left = count;
    const failing = {
      ...store,
      append: async (...given: Parameters<typeof store.append>) => {
        if (left === 0) throw new Error("ENOSPC: no space left on device, write");
        left -= 1;
        return store.append(...given);
      },
    };
    const model = scriptedModel([{ text: "Three." }]);
    await expect(Agent.resume(stored, { model, store: failing })).rejects.toThrow("ENOSPC");
    const agent = await Agent.resume(stored, { model, store });
    await agent.run("And now?");
    await agent.close();
    const found = await store.load(agent.agent_id);
    expect([found?.messages, found?.metadata.status]).toEqual([agent.transcript(), "complete"]);
    expect(story(agent.transcript())).toEqual(WHOLE);
  },
);

it("one that was given when the conversation was shorter is completed", async () => {
  const { stored, shorter } = await talked();
  const store = memoryStore();
  const model = scriptedModel([{ text: "Three." }]);
  await Agent.resume(shorter, { model, store });
  const agent = await Agent.resume(stored, { model, store });
  await agent.run("And now?");
  await agent.close();
  expect((await store.load(agent.agent_id))?.messages).toEqual(agent.transcript());
  expect(story(agent.transcript())).toEqual(WHOLE);
});
