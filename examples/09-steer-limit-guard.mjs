// A running turn gets a message, a budget stops it until there is more, and a hook guards the answer.
import { createHooks, rewrite } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";

const hooks = createHooks();
hooks.on("PostGeneration", { name: "no-numbers" }, ({ result }) =>
  rewrite(String(result).replaceAll(/\d+/g, "[number]")),
);

const model = scriptedModel([
  { tool_calls: [{ name: "Look", input: { where: "the shed" } }] },
  { tool_calls: [{ name: "Look", input: { where: "the garden" } }] },
  { text: "Both are empty. The code of the shed is 1234." },
]);

/** @type {Promise<import("tenterhook/agent").SteerResult> | undefined} */
let steered;
const agent = new Agent({
  model,
  hooks,
  tools: [
    {
      name: "Look",
      description: "Looks somewhere.",
      input_schema: { type: "object" },
      annotations: { read_only: true },
      run: async ({ where }) => {
        if (where === "the garden") steered = agent.steer("And tell me the code.");
        return { content: `Nothing in ${where}.` };
      },
    },
  ],
});

const { stop_reason } = await agent.run("What is in the shed and the garden?", { limits: { tokens: 1 } });
console.log(stop_reason);

for await (const item of agent.continueStream()) {
  if (item.type === "tool_result") console.log(item.content);
  if (item.type === "message" && item.message.role === "user" && item.message.source === "user")
    console.log(`the message has ${(await steered)?.status}`);
  if (item.type === "text_delta") console.log(item.text);
}
await agent.close();
