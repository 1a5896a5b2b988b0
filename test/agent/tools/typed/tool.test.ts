import { createHooks, deny, rewrite } from "tenterhook";
import { type Tool, type ToolContext, tool } from "tenterhook/agent";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { agentOf } from "../../support/agents.ts";
import { PNG } from "../../support/files.ts";

const add = tool({
  name: "Add",
  description: "Adds numbers.",
  input: z.object({ numbers: z.array(z.number()).min(1), label: z.string().default("sum") }),
  annotations: { read_only: true },
  run: ({ numbers, label }) => `${label}: ${numbers.reduce((sum, number) => sum + number, 0)}`,
});

/** What came of a call of a tool in an agent. */
async function called(one: Tool, input: Readonly<Record<string, unknown>>) {
  const { agent, hooks } = agentOf([{ tool_calls: [{ name: one.name, input }] }, { text: "Fine." }], {
    tools: [one],
  });
  const progress: unknown[] = [];
  hooks.on("PostToolUse", ({ tool_response }) => {
    progress.push(tool_response);
  });
  await agent.run("Go.");
  return { part: agent.transcript()[2]?.parts[0], progress };
}

describe("a tool with an input schema", () => {
  it("has its JSON Schema, and types the input of run", () => {
    expect(add).toMatchObject({
      name: "Add",
      description: "Adds numbers.",
      annotations: { read_only: true },
      input_schema: {
        type: "object",
        properties: { numbers: { type: "array" }, label: { type: "string", default: "sum" } },
        required: ["numbers"],
      },
    });
    expectTypeOf(add).toExtend<Tool>();
    tool({
      name: "Typed",
      description: "",
      input: z.object({ at: z.string().transform((text) => text.length) }),
      run: (input, context) => {
        expectTypeOf(input).toEqualTypeOf<{ at: number }>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
        return { found: true };
      },
    });
  });

  it("works in an agent: defaults are applied", async () => {
    expect(await called(add, { numbers: [1, 2] })).toMatchObject({
      part: { content: "sum: 3" },
      progress: ["sum: 3"],
    });
  });

  it("explains to the model what is wrong with an input", async () => {
    expect((await called(add, { numbers: [] })).part).toMatchObject({
      is_error: true,
      content: expect.stringContaining("The input of Add does not fit its schema."),
    });
    const even = tool({
      name: "Even",
      description: "",
      input: z.object({ number: z.number().refine((number) => number % 2 === 0, "must be even") }),
      run: () => "fine",
    });
    expect((await called(even, { number: 3 })).part).toMatchObject({
      is_error: true,
      content: "The input of Even does not fit its schema. number: must be even",
    });
  });

  it("may have a JSON Schema", async () => {
    const json = tool({
      name: "Json",
      description: "",
      input: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
      run: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ readonly a: number }>();
        return String(input.a);
      },
    });
    expect((await called(json, { a: 1 })).part).toMatchObject({ content: "1" });
    await expect(json.execute({ b: 1 } as never)).rejects.toThrow(
      "The input of Json does not fit its schema.",
    );
  });

  it("is refused at once when it can't be a tool", () => {
    const run = () => "";
    expect(() => tool({ name: "", description: "", input: z.object({}), run })).toThrow("tool: name");
    expect(() => tool({ name: "A", description: "", input: z.string(), run })).toThrow(
      'tool "A": input must be the schema of an object.',
    );
    expect(() => tool({ name: "A", description: "", input: {}, run })).toThrow(
      'tool "A": input must be a schema',
    );
    const misspelt = { name: "A", description: "", input: z.object({}), annotation: {}, run };
    expect(() => tool(misspelt)).toThrow('Did you mean "annotations"?');
  });
});

describe("what run returns", () => {
  const returning = <Value>(value: Value) =>
    tool({ name: "Say", description: "", input: z.object({}), run: async () => value });

  it("may be data: the model reads JSON, hooks get the data", async () => {
    expect(await called(returning({ temperature: 21 }), {})).toMatchObject({
      part: { content: '{"temperature":21}' },
      progress: [{ temperature: 21 }],
    });
  });

  it("may be nothing", async () => {
    expect((await called(returning(undefined), {})).part).toMatchObject({ content: "Done." });
  });

  it("may be a result with images", async () => {
    const image = returning({ content: [{ type: "image" as const, data: PNG }] });
    expect((await called(image, {})).part).toMatchObject({ files: [{ media_type: "image/png", data: PNG }] });
  });

  it("may be a result that failed", async () => {
    const failing = returning({ content: "No.", is_error: true });
    expect((await called(failing, {})).part).toMatchObject({ content: "No.", is_error: true });
  });

  it("is checked by an output schema, which types it", async () => {
    const weather = tool({
      name: "Weather",
      description: "",
      input: z.object({ city: z.string() }),
      output: z.object({ celsius: z.number() }),
      run: ({ city }) => ({ celsius: city === "Bern" ? 21 : Number.NaN }),
    });
    const found = await weather.execute({ city: "Bern" });
    expectTypeOf(found).toEqualTypeOf<{ celsius: number }>();
    expect(found).toEqual({ celsius: 21 });
    expect((await called(weather, { city: "Bern" })).part).toMatchObject({ content: '{"celsius":21}' });
    expect((await called(weather, { city: "Rome" })).part).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/^The result of Weather does not fit its schema\. celsius: /),
    });
  });
});

describe("in a loop of your own", () => {
  it("execute has typed input and output", async () => {
    const sum = await add.execute({ numbers: [1, 2] });
    expectTypeOf(sum).toEqualTypeOf<string>();
    expectTypeOf(add.execute).parameter(0).toEqualTypeOf<{ numbers: number[]; label?: string | undefined }>();
    expect(sum).toBe("sum: 3");
  });

  it("hooks judge the call by toolCall", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", ({ tool_input }) =>
      JSON.stringify(tool_input).includes("13")
        ? deny("Not 13.")
        : rewrite({ ...tool_input, label: "total" }),
    );
    const call = (numbers: readonly number[]) =>
      hooks.toolCall({
        tool_name: add.name,
        tool_input: { numbers },
        execute: (input, context) => add.run(input, context),
      });
    expect(await call([1, 2])).toEqual({ content: "total: 3" });
    await expect(call([13])).rejects.toThrow("Not 13.");
    await expect(call([])).rejects.toThrow("The input of Add does not fit its schema. numbers: ");
  });
});
