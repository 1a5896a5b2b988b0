// An agent that delegates to a kind of subagent, and that a Stop hook keeps going until the tests pass.
import { createHooks, keepGoing } from "tenterhook";
import { Agent, type AgentDefinition, defaultTools, scriptedModel, tool } from "tenterhook/agent";
import { z } from "zod";

let fixed = false;
const fix = tool({
  name: "fix",
  description: "Fixes a file.",
  input: z.object({ file: z.string() }),
  run: ({ file }) => {
    fixed = true;
    return `fixed ${file}`;
  },
});

const reviewer: AgentDefinition = {
  name: "reviewer",
  description: "Reads the change and says what is wrong with it.",
  prompt: "You review changes.",
  tools: [],
};

const hooks = createHooks();
hooks.on("Stop", { name: "tests-pass" }, () =>
  fixed ? undefined : keepGoing("The tests fail: fix sum.ts."),
);
hooks.on("SubagentStop", ({ agent_type }) => console.log(`${String(agent_type)} is done`));

const agent = new Agent({
  // The second step is the subagent's.
  model: scriptedModel([
    {
      tool_calls: [
        { name: "Task", input: { agent_type: "reviewer", task: "Review sum.ts.", description: "review" } },
      ],
    },
    { text: "It adds one too many." },
    { text: "Done." },
    { tool_calls: [{ name: "fix", input: { file: "sum.ts" } }] },
    { text: "Now it is done." },
  ]),
  tools: [fix, ...defaultTools().filter(({ name }) => name === "Task")],
  agents: [reviewer],
  mode: "bypass",
  hooks,
});
const { text, stop_reason } = await agent.run("Make the tests pass.");
await agent.close();
console.log(`${stop_reason}: ${text}`);
