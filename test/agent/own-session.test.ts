import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf } from "./support/agents.ts";
import { both, task, toolsWith } from "./support/tasks.ts";

it("a new agent and a new subagent are looked for in their own session, however many others there are", async () => {
  const memory = memoryStore();
  const looked: unknown[] = [];
  const store: typeof memory = {
    ...memory,
    load: (agent_id, options) => {
      looked.push([agent_id.slice(0, 4), options?.session_id]);
      return memory.load(agent_id, options);
    },
  };
  const { steps } = both([{ tool_calls: [task({}, "T")] }, { text: "Done." }], [{ text: "Worked." }]);
  const { agent } = agentOf(steps, { store, session: { session_id: "own" }, tools: toolsWith() });
  expect((await agent.run("Delegate.")).text).toBe("Done.");
  await agent.close();
  expect(looked).toEqual([
    ["own", "own"],
    ["sub-", "own"],
  ]);
});
