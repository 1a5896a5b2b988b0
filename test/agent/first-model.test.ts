import { abort, ask, createHooks, deny } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentOf } from "./support/agents.ts";

/** Hooks that refuse expensive models, and what they were asked. */
function gate(
  answer: ReturnType<typeof abort | typeof ask | typeof deny> = deny("Expensive model blocked in CI"),
) {
  const hooks = createHooks();
  const asked: unknown[] = [];
  hooks.on("ModelSwitch", ({ old_model, new_model, triggered_by }) => {
    asked.push([old_model, new_model, triggered_by]);
    return new_model.includes("opus") ? answer : undefined;
  });
  return { hooks, asked };
}

/** A model, and how often it was asked. */
function model(name: string) {
  const requests: string[] = [];
  const step = () => {
    requests.push(name);
    return { text: `I am ${name}.` };
  };
  return { model: scriptedModel([step, step, step], name), requests };
}

const FIRST = [null, "scripted/opus", "user"];

describe("ModelSwitch for the first model of a session", () => {
  it("fires once, with no old model, before the prompt", async () => {
    const { hooks, asked } = gate();
    const events: string[] = [];
    hooks.observe({ onDecision: ({ event }) => events.push(event.hook_event_name) });
    const { agent } = agentOf([], { hooks, model: model("haiku").model });
    await agent.run("go");
    await agent.run("again");
    expect(asked).toEqual([[null, "scripted/haiku", "user"]]);
    expect(events.slice(0, 4)).toEqual(["SessionStart", "ModelSwitch", "UserPromptSubmit", "TurnStart"]);
  });

  it("ends the run with its reason before any request when it is denied, and so the next run", async () => {
    const { hooks, asked } = gate();
    const opus = model("opus");
    const events: string[] = [];
    hooks.observe({ onDecision: ({ event }) => events.push(event.hook_event_name) });
    const { agent } = agentOf([], { hooks, model: opus.model });
    const expected = {
      text: "Expensive model blocked in CI",
      stop_reason: "denied",
      reason: "Expensive model blocked in CI",
      iterations: 0,
    };
    expect(await agent.run("go")).toMatchObject(expected);
    expect(await agent.run("again")).toMatchObject(expected);
    expect(await agent.submitHookInput({ hook: "client", text: "and now" })).toMatchObject(expected);
    await agent.close();
    expect(opus.requests).toEqual([]);
    expect(asked).toEqual([FIRST, FIRST, FIRST]);
    expect(agent.transcript()).toEqual([]);
    expect(events).toEqual(["SessionStart", "ModelSwitch", "ModelSwitch", "ModelSwitch", "SessionEnd"]);
  });

  it("lets another model in its place, which is the first then", async () => {
    const { hooks, asked } = gate();
    const { agent } = agentOf([], { hooks, model: model("opus").model });
    await agent.run("go");
    await agent.switchModel(model("haiku").model);
    expect(await agent.run("again")).toMatchObject({ stop_reason: "complete", text: "I am haiku." });
    expect(asked).toEqual([FIRST, [null, "scripted/haiku", "user"]]);
  });

  it("asks a human when a hook wants that, and nobody to ask is a refusal", async () => {
    const question = ask("Is it worth it?");
    const { agent } = agentOf([], { hooks: gate(question).hooks, model: model("opus").model });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "denied", reason: "Is it worth it?" });
    const agreed = agentOf([], {
      hooks: gate(question).hooks,
      model: model("opus").model,
      approval: ({ kind }) => kind === "model_switch",
    });
    expect(await agreed.agent.run("go")).toMatchObject({ stop_reason: "complete" });
  });

  it("ends the run as aborted when a hook ends it", async () => {
    const opus = model("opus");
    const { agent } = agentOf([], { hooks: gate(abort("No models today.")).hooks, model: opus.model });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "aborted", reason: "No models today." });
    expect(opus.requests).toEqual([]);
  });

  it("is asked before a conversation is shortened, too", async () => {
    const opus = model("opus");
    const store = memoryStore();
    const { agent: first } = agentOf([{ text: "one" }, { text: "two" }], { store });
    await first.run("a");
    await first.run("b");
    const { agent } = agentOf([], {
      hooks: gate().hooks,
      model: opus.model,
      session: { transcript: first.transcript() },
      context: { compaction: { keep_tokens: 1 } },
    });
    await expect(agent.compact()).rejects.toMatchObject({
      code: "model_switch_denied",
      message: "Expensive model blocked in CI",
    });
    expect(opus.requests).toEqual([]);
  });

  it("does not pass because the session was refused before and is resumed", async () => {
    const { hooks, asked } = gate();
    const opus = model("opus");
    const store = memoryStore();
    const { agent } = agentOf([], { hooks, model: opus.model, store });
    await agent.run("go");
    await agent.close();
    const stored = await store.load(agent.agent_id);
    const resumed = await Agent.resume(stored ?? agent.agent_id, { hooks, model: opus.model, store });
    onTestFinished(() => resumed.close());
    expect(await resumed.run("again")).toMatchObject({ stop_reason: "denied" });
    expect(opus.requests).toEqual([]);
    expect(asked).toEqual([FIRST, FIRST]);
  });

  it("does not fire again for a session that has worked with the model and is resumed", async () => {
    const { hooks, asked } = gate();
    const store = memoryStore();
    const haiku = model("haiku").model;
    const { agent } = agentOf([], { hooks, model: haiku, store });
    await agent.run("go");
    await agent.close();
    const resumed = await Agent.resume(agent.agent_id, { hooks, model: haiku, store });
    onTestFinished(() => resumed.close());
    expect(await resumed.run("again")).toMatchObject({ stop_reason: "complete" });
    expect(asked).toEqual([[null, "scripted/haiku", "user"]]);
  });
});
