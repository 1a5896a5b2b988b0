import { context, createHooks, keepGoing } from "tenterhook";
import { Agent, scriptedModel } from "tenterhook/agent";
import { expect, it } from "vitest";

it("works", async () => {
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.observeDecisions(({ event }) => seen.push(event.hook_event_name));
  hooks.on("PostToolUse", () => context("from a hook"));
  let n = 0;
  hooks.on("Stop", () => (n++ === 0 ? keepGoing("more") : undefined));
  const prompts: unknown[] = [];
  const agent = new Agent({
    model: scriptedModel([
      { text: "I look", tool_calls: [{ name: "echo", input: { text: "a" } }] },
      (r) => {
        prompts.push(r.prompt);
        return { text: "done it" };
      },
      { text: "really" },
    ]),
    hooks,
    tools: [
      {
        name: "echo",
        description: "echo",
        input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        run: async ({ text }) => ({ content: String(text) }),
      },
    ],
  });
  const items: string[] = [];
  const result = await agent.run("go", { onItem: (i) => items.push(i.type) });
  await agent.close();
  console.log(
    result,
    seen.join(" "),
    JSON.stringify(prompts),
    items.join(" "),
    JSON.stringify(agent.transcript(), null, 1),
  );
  expect(result.text).toBe("really");
});
