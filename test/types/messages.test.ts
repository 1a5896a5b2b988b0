import { expect, test } from "vitest";
import { errorsOf } from "./support/compiled.ts";

/** Wrong programs, and the first line that a person reads about each. */
const PROGRAMS = {
  'hooks.on(["PreToolUse", "Stop"], () => deny("no"));':
    'TS2322: Type \'DenyOutcome\' is not assignable to type \'HookReply<"PreToolUse" | "Stop", "abort" | "user_message", string>\'.',
  'hooks.on("SessionEnd", () => abort());':
    "TS2322: Type 'AbortOutcome' is not assignable to type 'HookReply<\"SessionEnd\", \"user_message\", string>'.",
  'hooks.on("Notification", async () => deny("no"));':
    'TS2322: Type \'Promise<DenyOutcome>\' is not assignable to type \'HookReply<"Notification", "abort" | "user_message", string>\'.',
  'hooks.on("UserPromptSubmit", () => rewrite(5));':
    'TS2322: Type \'RewriteOutcome<number>\' is not assignable to type \'HookReply<"UserPromptSubmit", "abort" | "context" | "deny" | "rewrite" | "user_message", string>\'.',
  'hooks.on("UserPromptSubmit", () => rewrite((prompt) => prompt.toUperCase()));':
    "TS2551: Property 'toUperCase' does not exist on type 'string'. Did you mean 'toUpperCase'?",
  'hooks.on("custom:deploy", () => {});':
    "TS2345: Argument of type '\"custom:deploy\"' is not assignable to parameter of type 'readonly AnyEventName<Events>[] | AnyEventName<Events>'.",
  'hooks.declare("custom:deploy", { effects: ["deny"] });':
    "TS2345: Argument of type '\"custom:deploy\"' is not assignable to parameter of type 'OwnEventName<Events>'.",
  'hooks.declare("custom:release", { effects: ["keep_going"] });':
    "TS2322: Type '\"keep_going\"' is not assignable to type '\"deny\"'.",
  'hooks.declare("custom:release", { effects: ["deny"], requires: ["versio"] });':
    "TS2322: Type '\"versio\"' is not assignable to type '\"version\"'.",
  'createHooks<{ release: { effects: "deny" } }>();': `TS2344: Type '{ release: { effects: "deny"; }; }' does not satisfy the constraint 'CustomEventsOf<{ release: { effects: "deny"; }; }>'.`,
  'definePlugin({ name: "acme", rulez: "" });':
    "TS2561: Object literal may only specify known properties, but 'rulez' does not exist in type 'Plugin'. Did you mean to write 'rules'?",
  'definePlugin({ name: "acme", packs: ["safe-shel"] });':
    "TS2820: Type '\"safe-shel\"' is not assignable to type 'PackName'. Did you mean '\"safe-shell\"'?",
  'hooks.use("safe-shel");':
    "TS2345: Argument of type '\"safe-shel\"' is not assignable to parameter of type 'Plugin | PackName'.",
  'hooks.add({ name: "a", type: "inlin", matcher: { events: "Stop" } });':
    'TS2820: Type \'"inlin"\' is not assignable to type \'"agent" | "all" | "any" | "command" | "first" | "http" | "inline" | "llm" | "mcp" | "module" | "prompt"\'. Did you mean \'"inline"\'?',
  'hooks.add({ name: "a", type: "inline", matcher: { events: ["PreTool"] } });':
    "TS2322: Type '\"PreTool\"[]' is not assignable to type 'readonly DefinedEvent[] | DefinedEvent'.",
  'hooks.on("PreToolUse", { tools: refund }, ({ tool_input }) => { tool_input.ordr; });':
    "TS2551: Property 'ordr' does not exist on type 'Readonly<{ order: string; cents: number; }>'. Did you mean 'order'?",
  'hooks.on("PreToolUse", { tools: { refund: pay } }, () => rewrite({ order: "1", cents: "5" }));':
    'TS2322: Type \'RewriteOutcome<{ order: string; cents: string; }>\' is not assignable to type \'HookReply<"PreToolUse", "abort" | "allow" | "answer" | "ask" | "context" | "deny" | "rewrite" | "time_limit" | "user_message", { readonly refund: (input: Refund) => string; }>\'.',
  'hooks.on("PostToolUse", { tools: refund }, ({ tool_response }) => { tool_response.toFixed(); });':
    "TS2551: Property 'toFixed' does not exist on type 'string'. Did you mean 'fixed'?",
  'hooks.toolCall({ tool_name: "refund", tool_input: { order: "1", cents: "5" }, execute: pay });':
    "TS2322: Type 'string' is not assignable to type 'number'.",
} as const;

const HEAD = `import { abort, createHooks, definePlugin, deny, rewrite } from "tenterhook";
import { tool } from "tenterhook/agent";
import { z } from "zod";
interface Events { "custom:release": { fields: { version: string }; effects: "deny" } }
interface Refund { order: string; cents: number }
const hooks = createHooks<Events>();
const pay = (input: Refund) => input.order;
const refund = tool({ name: "Refund", description: "", input: z.object({ order: z.string(), cents: z.number() }), run: pay });
export { abort, definePlugin, deny, hooks, refund, rewrite };
`;

test("the compiler refuses wrong hooks with a line that names what is wrong", async () => {
  const programs = Object.fromEntries(Object.keys(PROGRAMS).map((code) => [code, `${HEAD}${code}\n`]));
  const expected = Object.fromEntries(Object.entries(PROGRAMS).map(([code, line]) => [code, [line]]));
  expect(await errorsOf(programs)).toEqual(expected);
});
