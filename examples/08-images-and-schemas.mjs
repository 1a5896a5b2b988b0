// Give an agent an image and a tool with a typed input, and get its answer as data.
import { createHooks, deny } from "tenterhook";
import { Agent, scriptedModel, tool } from "tenterhook/agent";
import { z } from "zod";

const image =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const measure = tool({
  name: "Measure",
  description: "Measures an image.",
  input: z.object({ unit: z.enum(["px", "mm"]).default("px") }),
  annotations: { read_only: true },
  run: ({ unit }) => ({ width: 1, height: 1, unit }),
});

const hooks = createHooks();
hooks.on("UserPromptSubmit", ({ prompt, attachments = [] }) => {
  console.log(`prompt: ${prompt}`);
  for (const { media_type, bytes } of attachments) console.log(`  with ${media_type}, ${bytes} bytes`);
  return attachments.some(({ media_type }) => media_type === "application/zip")
    ? deny("No archives.")
    : undefined;
});

// The first answer is no JSON: the agent asks again.
const model = scriptedModel([
  { tool_calls: [{ name: "Measure", input: {} }] },
  { text: "It is one pixel wide." },
  { text: '{ "pixels": 1, "colour": "green" }' },
]);

const agent = new Agent({ model, hooks, tools: [measure] });
const result = await agent.run(
  [
    { type: "text", text: "How many pixels has it?" },
    { type: "image", data: image },
  ],
  { output: z.object({ pixels: z.number(), colour: z.string() }) },
);
await agent.close();

for (const { role, parts } of agent.transcript())
  for (const part of parts) if (part.type === "tool_result") console.log(`${role}: ${part.content}`);
console.log(`asked ${result.iterations} times`);
if (result.stop_reason === "complete") console.log(`${result.output.pixels} pixel, ${result.output.colour}`);
