// The agent of the guide "From the AI SDK / Claude Agent SDK / OpenAI Agents / pi", with a scripted model.
import { allow, ask, createHooks, deny } from "tenterhook";
import { Agent, scriptedModel, tool } from "tenterhook/agent";
import { z } from "zod";

const refund = tool({
  name: "refund",
  description: "Pays money back.",
  input: z.object({ order: z.string(), amount: z.number() }),
  run: ({ order, amount }) => `Paid ${amount} euros back for order ${order}.`,
});

const hooks = createHooks();
hooks.on("PreToolUse", { tools: "refund" }, ({ tool_input: { amount } }) => {
  if (Number(amount) > 1000) return deny("At most 1000 euros.");
  return Number(amount) > 100 ? ask(`Refund ${amount} euros?`) : allow();
});

const model = scriptedModel([
  { tool_calls: [50, 250, 5000].map((amount) => ({ name: "refund", input: { order: "17", amount } })) },
  { text: "Two of three." },
]);

const agent = new Agent({
  model,
  system_prompt: "You help with orders.",
  tools: [refund],
  hooks,
  approval: ({ reason }) => {
    console.log(`a human is asked: ${reason}`);
    return "yes";
  },
});
for await (const item of agent.stream("Refund order 17: 50, 250 and 5000 euros.", { close: true })) {
  if (item.type === "tool_result") console.log(item.content);
  if (item.type === "done") console.log(item.result.text);
}
