import { createHooks } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, story } from "./support/agents.ts";

it("a new agent does not write into the conversation of another one with its id", async () => {
  const store = memoryStore();
  const { agent: first } = agentOf([{ text: "One." }], { store, session: { session_id: "known" } });
  await first.run("first");
  await first.close();
  const hooks = createHooks();
  const sources: unknown[] = [];
  hooks.on("SessionStart", ({ source }) => {
    sources.push(source);
  });
  const { agent: second } = agentOf([{ text: "Two." }], { store, session: { session_id: "known" }, hooks });
  await expect(second.run("second")).rejects.toMatchObject({
    code: "agent_exists",
    message: 'There is an agent "known" already.',
    hint: "To continue its conversation use Agent.resume; for a new one choose another id.",
  });
  const resumed = await Agent.resume("known", { store, model: scriptedModel([{ text: "Three." }]) });
  await resumed.run("third");
  expect(story(resumed.transcript())).toEqual([
    "user text: first",
    "assistant text: One.",
    "user text: third",
    "assistant text: Three.",
  ]);
  expect(sources).toEqual([]);
  await resumed.close();
});

it("an id of which nothing was said yet can be used", async () => {
  const store = memoryStore();
  await store.save({ title: "To come" }, { session_id: "known", agent_id: "known" });
  const { agent } = agentOf([{ text: "One." }], { store, session: { session_id: "known" } });
  expect((await agent.run("first")).text).toBe("One.");
});
