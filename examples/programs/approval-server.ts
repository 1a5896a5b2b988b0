// A server whose agent waits for a human. The answer may come after the server was killed and started again.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { ask, createHooks } from "tenterhook";
import { Agent, scriptedModel, tool } from "tenterhook/agent";
import { jsonlStore } from "tenterhook/stores";
import { z } from "zod";

const [folder = "."] = process.argv.slice(2);
const store = jsonlStore({ dir: join(folder, "sessions") });

const refund = tool({
  name: "refund",
  description: "Pays money back.",
  input: z.object({ order: z.string(), amount: z.number() }),
  run: ({ order, amount }) => {
    appendFileSync(join(folder, "paid.txt"), `${order} ${amount}\n`);
    return `Paid ${amount} euros back for order ${order}.`;
  },
});

const hooks = createHooks();
hooks.on("PreToolUse", { name: "large-refunds", tools: "refund" }, ({ tool_input }) =>
  Number(tool_input.amount) > 100 ? ask(`Refund ${String(tool_input.amount)} euros?`) : undefined,
);

// In a program of yours both are the same: `model: "anthropic/claude-sonnet-4-5"`.
const asking = () =>
  scriptedModel([{ tool_calls: [{ name: "refund", input: { order: "17", amount: 250 } }] }]);
const answering = () => scriptedModel([{ text: "The money is on its way." }]);

const setup = {
  tools: [refund],
  mode: "bypass",
  suspend: true,
  hooks,
  store,
} as const;

const app = new Hono();

app.post("/tasks", async (request) => {
  const agent = new Agent({ ...setup, model: asking() });
  const { agent_id, stop_reason, waiting_for } = await agent.run(await request.req.text());
  await agent.close();
  return request.json({ agent_id, stop_reason, waiting_for });
});

app.post("/tasks/:agent_id/answer", async (request) => {
  const agent = await Agent.resume(request.req.param("agent_id"), { ...setup, model: answering() });
  try {
    const tool_use_id = agent.waiting_for?.tool_use_id;
    if (tool_use_id === undefined) return request.json({ error: "Nobody waits for an answer." }, 409);
    const approval = (await request.req.text()) === "yes";
    const { text, stop_reason } = await agent.continue({ tool_use_id, approval });
    return request.json({ text, stop_reason });
  } finally {
    await agent.close();
  }
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => console.log(port));
