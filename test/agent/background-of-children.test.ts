import { createHooks } from "tenterhook";
import type { Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo, story } from "./support/agents.ts";
import { both, type Step, task, toolsWith } from "./support/tasks.ts";

/** A tool whose work goes on in the background until it is told to end. */
function later(): { readonly tool: Tool; readonly end: () => void } {
  let end = (): void => {};
  const work = new Promise<{ content: string }>((resolve) => {
    end = () => resolve({ content: "The tests pass." });
  });
  const run: Tool["run"] = async (_, { host }) => {
    host.deliverLater?.(work);
    return { content: "begun" };
  };
  return { tool: { ...echo, name: "Later", run }, end };
}

const begin: Step = { tool_calls: [{ name: "Later", input: { text: "" } }] };

it("what a subagent left running when it answered is reported to its parent, once", async () => {
  const { tool, end } = later();
  const hooks = createHooks();
  const events: unknown[] = [];
  hooks.on("PostBackgroundToolUse", ({ tool_name, tool_response, agent_type }) => {
    events.push({ tool_name, tool_response, agent_type });
  });
  const { steps } = both(
    [{ tool_calls: [task()] }, { text: "Delegated." }, { text: "Heard." }, { text: "Nothing new." }],
    [begin, { text: "The tests run." }],
  );
  const { agent } = agentOf(steps, { hooks, tools: toolsWith(tool) });
  await agent.run("Delegate.");
  end();
  await new Promise(setImmediate);
  await agent.run("And now?");
  await agent.run("And now?");
  const deliveries = story(agent.transcript()).filter((line) => line.includes("The tests pass."));
  const [child] = /sub-\w+/.exec(story(agent.transcript()).join("\n")) ?? [];
  expect(deliveries).toEqual([
    `user text: Later (call_2) of the subagent ${child}, which ran in the background, is done:\nThe tests pass.`,
  ]);
  expect(events).toEqual([{ tool_name: "Later", tool_response: "The tests pass.", agent_type: "main" }]);
});

it("a subagent that continues does not read that its process has ended", async () => {
  const { tool, end } = later();
  const store = memoryStore();
  const { steps } = both(
    [
      { tool_calls: [task()] },
      { text: "Delegated." },
      () => ({ tool_calls: [task({ resume_agent_id: childId() })] }),
      { text: "Fine." },
    ],
    [begin, { text: "The tests run." }, { text: "Still here." }],
  );
  const { agent } = agentOf(steps, { store, tools: toolsWith(tool) });
  const childId = (): string => /sub-\w+/.exec(story(agent.transcript()).join("\n"))?.[0] ?? "";
  await agent.run("Delegate.");
  await agent.run("Ask again.");
  const child = await store.load(childId());
  expect(JSON.stringify(child?.messages)).not.toContain("has ended");
  end();
  await agent.run("And now?");
  expect(story(agent.transcript()).join("\n")).toContain("The tests pass.");
});
