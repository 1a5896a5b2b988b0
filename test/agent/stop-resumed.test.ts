import { createHooks, keepGoing } from "tenterhook";
import { Agent, type AgentOptions, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, reply } from "./support/agents.ts";
import { toolsWith } from "./support/tasks.ts";

const question = { question: "Which?", header: "H", options: [{ label: "A" }, { label: "B" }] };
const asks = { tool_calls: [{ name: "AskUserQuestion", input: { questions: [question] } }] };

/** Hooks of one process, and the events that a Stop hook which is never content got. */
function neverContent() {
  const hooks = createHooks();
  const events: unknown[] = [];
  hooks.on("Stop", ({ stop_hook_active, continuations }) => {
    events.push({ stop_hook_active, continuations });
    return keepGoing(`not done after ${continuations}`);
  });
  return { hooks, events };
}

it("a turn that goes on elsewhere remembers how often Stop hooks have kept it going", async () => {
  const store = memoryStore();
  const options = { store, tools: toolsWith(), suspend: true, limits: { stop_continuations: 2 } };
  const first = neverContent();
  const { agent } = agentOf([{ text: "One." }, asks], { ...options, hooks: first.hooks });
  expect((await agent.run("go")).stop_reason).toBe("suspended");
  expect(first.events).toEqual([{ stop_hook_active: false, continuations: 0 }]);
  await agent.close();
  const second = neverContent();
  const going: AgentOptions = {
    ...options,
    hooks: second.hooks,
    model: scriptedModel([{ text: "Two." }, { text: "Three." }, { text: "Four." }]),
  };
  const resumed = await Agent.resume(agent.agent_id, going);
  expect(await resumed.continue(reply(resumed, "A"))).toMatchObject({
    stop_reason: "capped",
    text: "Three.",
  });
  expect(second.events).toEqual([
    { stop_hook_active: true, continuations: 1 },
    { stop_hook_active: true, continuations: 2 },
  ]);
  await resumed.close();
});
