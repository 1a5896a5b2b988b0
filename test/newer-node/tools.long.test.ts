import { dynamicTool, jsonSchema, tool } from "ai-sdk-provider-utils-v5";
import { createHooks } from "tenterhook";
import { Agent, type AgentOptions, scriptedModel } from "tenterhook/agent";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";

const city = z.object({ city: z.string() });
const weather = tool({
  description: "The weather of a city.",
  inputSchema: city,
  execute: async ({ city }) => ({ text: `Sun in ${city}` }),
});

async function answered(
  tools: NonNullable<AgentOptions["tools"]>,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const [name = ""] = Object.keys(tools);
  const model = scriptedModel([{ tool_calls: [{ name, input }] }, { text: "Done." }]);
  const agent = new Agent({ model, tools, mode: "bypass" });
  await agent.run("Go.");
  await agent.close();
  return agent.transcript()[2]?.parts;
}

describe("tools of the AI SDK 7 are tools of an agent, as they are", () => {
  it("with a zod schema", async () => {
    expect(await answered({ weather }, { city: "Bern" })).toMatchObject([
      { content: '{"text":"Sun in Bern"}' },
    ]);
  });

  it("with a JSON Schema, and as a dynamic tool", async () => {
    const double = tool({
      inputSchema: jsonSchema<{ number: number }>({
        type: "object",
        properties: { number: { type: "number" } },
      }),
      execute: ({ number }) => `${number * 2}`,
    });
    const dynamic = dynamicTool({ inputSchema: z.object({}), execute: async () => "anything" });
    expect(await answered({ double }, { number: 4 })).toMatchObject([{ content: "8" }]);
    expect(await answered({ dynamic }, {})).toMatchObject([{ content: "anything" }]);
  });

  it("with a description that is a function", async () => {
    const described = tool({ description: () => "By a function.", inputSchema: city, execute: () => "Sun" });
    expect(await answered({ described }, { city: "Bern" })).toMatchObject([{ content: "Sun" }]);
  });

  it("but not with a context, which an agent does not have", () => {
    const keyed = tool({
      inputSchema: city,
      contextSchema: z.object({ key: z.string() }),
      execute: ({ city }, { context }) => `${city} ${context.key}`,
    });
    expect(() => new Agent({ model: scriptedModel([]), tools: { keyed } })).toThrow(
      "new Agent: tools.keyed has a contextSchema, and an agent has no context to give it. Use the values in execute directly.",
    );
  });
});

it("a hook of a tool of the AI SDK 7 knows its input and its result", () => {
  createHooks().on("PostToolUse", { tools: { weather } }, ({ tool_name, tool_input, tool_response }) => {
    expectTypeOf(tool_name).toEqualTypeOf<"weather">();
    expectTypeOf(tool_input.city).toEqualTypeOf<string>();
    expectTypeOf(tool_response.text).toEqualTypeOf<string>();
  });
});
