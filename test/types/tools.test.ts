import { tool as aiTool } from "ai";
import { createHooks, type HookEvent, rewrite, type ToolInput } from "tenterhook";
import { type Tool, tool } from "tenterhook/agent";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

interface Refund {
  order: string;
  cents?: number | undefined;
}

const hooks = createHooks();
const refund = tool({
  name: "Refund",
  description: "",
  input: z.object({ order: z.string(), cents: z.number().default(100) }),
  run: ({ order, cents }) => ({ order, paid: cents > 0 }),
});
const count = tool({
  name: "Count",
  description: "",
  input: {
    type: "object",
    properties: { words: { type: "array", items: { type: "string" } } },
    required: ["words"],
  },
  run: ({ words }) => words.length,
});

// These are checked by `tsc`, as part of `npm run check`; at run time they only register hooks.
test("a hook of a zod tool knows its input before it is converted, and its result", () => {
  hooks.on("PreToolUse", { tools: refund }, ({ tool_name, tool_input }) => {
    expectTypeOf(tool_name).toEqualTypeOf<"Refund">();
    expectTypeOf(tool_input).toEqualTypeOf<Readonly<Refund>>();
    return rewrite((input) => ({ ...input, cents: 5 }));
  });
  hooks.on("PostToolUse", { matcher: { tools: refund } }, ({ tool_response }) => {
    expectTypeOf(tool_response).toEqualTypeOf<{ order: string; paid: boolean }>();
    return rewrite({ ...tool_response, paid: false });
  });
});

test("a hook of several tools tells them apart by name", () => {
  hooks.on("PreToolUse", { tools: [refund, count] }, (event) => {
    if (event.tool_name === "Count") expectTypeOf(event.tool_input.words).toEqualTypeOf<readonly string[]>();
    else expectTypeOf(event.tool_input.order).toEqualTypeOf<string>();
  });
});

test("functions and tools of the AI SDK are named by their keys", () => {
  const add = (input: { a: number; b: number }) => Promise.resolve(input.a + input.b);
  const weather = {
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }: { city: string }) => city,
  };
  const six = aiTool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => ({ city }),
  });
  hooks.on("PostToolUse", { tools: { add } }, ({ tool_name, tool_input, tool_response }) => {
    expectTypeOf(tool_name).toEqualTypeOf<"add">();
    expectTypeOf(tool_input.a).toEqualTypeOf<number>();
    expectTypeOf(tool_response).toEqualTypeOf<number>();
  });
  hooks.on("PostToolUse", { tools: { six, weather } }, (event) => {
    expectTypeOf(event.tool_input.city).toEqualTypeOf<string>();
    if (event.tool_name === "weather") expectTypeOf(event.tool_response).toEqualTypeOf<string>();
    else expectTypeOf(event.tool_response.city).toEqualTypeOf<string>();
  });
});

test("a tool of an MCP server is known by its schema", () => {
  const issue = {
    name: "mcp__github__create_issue",
    inputSchema: {
      type: "object",
      properties: { title: { type: "string" }, labels: { type: "array", items: { enum: ["bug", "idea"] } } },
      required: ["title"],
    },
  } as const;
  hooks.on("PreToolUse", { tools: issue }, ({ tool_input }) => {
    expectTypeOf(tool_input).toEqualTypeOf<
      Readonly<{ readonly title: string; readonly labels?: readonly ("bug" | "idea")[] }>
    >();
  });
});

test("what is not known stays as it was: names, and tools without types", () => {
  const plain: Tool = { ...refund, run: async () => ({ content: "" }) };
  hooks.on("PreToolUse", { tools: ["Refund", refund] }, (event) => {
    expectTypeOf(event).toEqualTypeOf<HookEvent<"PreToolUse">>();
  });
  hooks.on("PreToolUse", { tools: plain }, ({ tool_input }) => {
    expectTypeOf(tool_input).toEqualTypeOf<ToolInput>();
  });
});

test("toolCall gives execute the type of its input", () => {
  const refunds = (input: Refund) => input.order.length;
  const call = () => hooks.toolCall({ tool_name: "Refund", tool_input: { order: "1" }, execute: refunds });
  expectTypeOf(call).returns.toEqualTypeOf<Promise<number>>();
});

test("a set with events of its own serves wherever a set is taken", () => {
  const own = createHooks<{ "custom:deploy": { effects: "deny" } }>();
  expectTypeOf(own).toExtend<typeof hooks>();
  expect(() => hooks.include(own)).not.toThrow();
});
