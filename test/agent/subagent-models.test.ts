import { ask, createHooks, deny } from "tenterhook";
import { type AgentOptions, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, story } from "./support/agents.ts";
import { both, task, toolsWith } from "./support/tasks.ts";

/** An agent whose child has a model of its own, after one task. */
async function delegated(
  gate: () => ReturnType<typeof ask | typeof deny> | undefined,
  options: Partial<AgentOptions> = {},
  model = "dear",
) {
  const hooks = createHooks();
  const switches: unknown[] = [];
  hooks.on("ModelSwitch", ({ old_model, new_model, triggered_by, reason, agent_type }) => {
    // The session's first model.
    if (old_model === null) return undefined;
    switches.push({ old_model, new_model, triggered_by, reason, agent_type });
    return gate();
  });
  const { steps, asked } = both([{ tool_calls: [task({ agent_type: "reviewer" })] }, { text: "Fine." }], []);
  const reviewer = { name: "reviewer", description: "", model: scriptedModel([{ text: "Seen." }], model) };
  const { agent } = agentOf(steps, { hooks, tools: toolsWith(), agents: [reviewer], ...options });
  const { text } = await agent.run("Delegate.");
  const [, , result = ""] = story(agent.transcript());
  return { switches, asked, text, result: result.split("\n")[0] };
}

const SWITCH = {
  old_model: "scripted/script",
  new_model: "scripted/dear",
  triggered_by: "automatic",
  reason: "The subagent reviewer has a model of its own.",
  agent_type: "reviewer",
};

it("hooks hear of the model of a subagent that has its own", async () => {
  const { switches, result } = await delegated(() => undefined);
  expect({ switches, result }).toEqual({ switches: [SWITCH], result: "tool answers: Seen." });
});

it("a model they deny is asked by no subagent either", async () => {
  const { result, text } = await delegated(() => deny("Expensive model blocked in CI"));
  expect({ result, text }).toEqual({
    result: "tool fails: The subagent may not use scripted/dear: Expensive model blocked in CI",
    text: "Fine.",
  });
});

it("nobody to ask is a refusal, and a human can agree", async () => {
  const refused = await delegated(() => ask("Is it worth it?"));
  expect(refused.result).toBe("tool fails: The subagent may not use scripted/dear: Is it worth it?");
  const agreed = await delegated(() => ask("Is it worth it?"), { approval: () => true });
  expect(agreed.result).toBe("tool answers: Seen.");
});

it("the model of the parent is none of its own", async () => {
  expect((await delegated(() => deny("No."), {}, "script")).switches).toEqual([]);
});

it("its model is kept by its own name, whatever the parent's can be opened by", async () => {
  const store = memoryStore();
  await delegated(() => undefined, { store, models: { model_name: "scripted:/parent.yaml" } });
  const { transcripts } = await store.list();
  expect(transcripts.map(({ agent_type, model }) => [agent_type, model])).toEqual([
    ["reviewer", "scripted/dear"],
    ["main", "scripted:/parent.yaml"],
  ]);
});
