import { expect, test } from "vitest";
import { errorsOf } from "./support/compiled.ts";

const EVENT = 'session_id: "s", cwd: "/"';

/** What a user might write, and the code of the compiler's error; none for what is right. */
const JUDGED = {
  "deny on Notification": ['hooks.on("Notification", () => deny("no"));', "TS2322"],
  "deny later on Notification": ['hooks.on("Notification", async () => deny("no"));', "TS2322"],
  "deny in a list on Notification": ['hooks.on("Notification", () => [deny("no")]);', "TS2322"],
  "keepGoing on PreToolUse": ['hooks.on("PreToolUse", () => keepGoing("on"));', "TS2322"],
  "keepGoing on Stop": ['hooks.on("Stop", () => keepGoing("on"));'],
  "deny on PreToolUse": ['hooks.on("PreToolUse", { tools: "Bash" }, () => deny("no"));'],
  "an unknown event": ['hooks.on("PreToolUze", () => {});', "TS2345"],
  "an unknown event in a list": ['hooks.on(["PreToolUse", "PreToolUze"], () => {});', "TS2345"],
  "a custom event that no type declares": ['hooks.on("custom:deploy", () => deny("no"));', "TS2345"],
  "a custom event with its fields and effects": [
    `hooks.on("custom:release", ({ version }) => deny(version.toUpperCase())); hooks.fire({ hook_event_name: "custom:release", ${EVENT}, version: "1" });`,
  ],
  "a field that the custom event lacks": [
    'hooks.on("custom:release", ({ target }) => { target; });',
    "TS2339",
  ],
  "an effect that the custom event lacks": ['hooks.on("custom:release", () => keepGoing("on"));', "TS2322"],
  "fire with a custom event and a field of another type": [
    `hooks.fire({ hook_event_name: "custom:release", ${EVENT}, version: 1 });`,
    "TS2322",
  ],
  "fire with a custom event without its field": [
    `hooks.fire({ hook_event_name: "custom:release", ${EVENT} });`,
    "TS2345",
  ],
  "an agent's event": ['hooks.on("claude:ConfigChange", ({ native }) => { native; });'],
  "an unknown option": ['hooks.on("PreToolUse", { tool: "Bash" }, () => {});', "TS2561"],
  "a field the event lacks": ['hooks.on("Stop", ({ tool_name }) => { tool_name; });', "TS2339"],
  "a write to the event": ['hooks.on("PreToolUse", (event) => { event.tool_name = "b"; });', "TS2540"],
  "fire with all it needs": [
    `hooks.fire({ hook_event_name: "PreToolUse", ${EVENT}, tool_name: "Bash", tool_input: {} });`,
  ],
  "fire without tool_input": [
    `hooks.fire({ hook_event_name: "PreToolUse", ${EVENT}, tool_name: "Bash" });`,
    "TS2345",
  ],
  "fire without tool_name": [
    `hooks.fire({ hook_event_name: "PreToolUse", ${EVENT}, tool_input: {} });`,
    "TS2345",
  ],
  "fire without session_id": [
    'hooks.fire({ hook_event_name: "PreToolUse", cwd: "/", tool_name: "Bash", tool_input: {} });',
    "TS2345",
  ],
  "fire with an unknown event": [`hooks.fire({ hook_event_name: "PreToolUze", ${EVENT} });`, "TS2820"],
  "fire with a custom event that no type declares": [
    `hooks.fire({ hook_event_name: "custom:deploy", ${EVENT}, target: "a" });`,
    "TS2322",
  ],
  "an answer without what was asked": [
    `hooks.toolCall({ ${EVENT}, tool_name: "a", tool_input: {}, approval: true, execute: () => 1 });`,
    "TS2345",
  ],
  "an answer to what was decided before": [
    `const call = { ${EVENT}, tool_name: "a", tool_input: { cents: 1 } }; const decided = await hooks.decide(call); await hooks.toolCall({ ...decided.call, decided, approval: "yes", execute: ({ cents }: { cents: number }) => cents });`,
  ],
  "the tool's result as another type": [
    `export const a: Promise<string> = hooks.toolCall({ ${EVENT}, tool_name: "a", tool_input: {}, execute: () => 1 });`,
    "TS2322",
  ],
  "a misspelt piece of a model": [
    'export const piece: import("tenterhook/agent").ModelPiece = { type: "text-delt", id: "0", delta: "" };',
    "TS2820",
  ],
  "an unknown limit": ["createHooks({ limits: { no_such_limit: 1 } });", "TS2353"],
} as const satisfies Record<string, readonly [program: string, code?: string]>;

const JUDGED_HEAD = `import { createHooks, deny, keepGoing } from "tenterhook"; const hooks = createHooks();
declare module "tenterhook" {
  interface CustomEvents { "custom:release": { fields: { version: string }; effects: "deny" } }
}`;
const JUDGED_TAIL = "export { deny, hooks, keepGoing };";

/** Wrong programs, and the first line that a person reads about each. */
const REFUSED = {
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

const REFUSED_HEAD = `import { abort, createHooks, definePlugin, deny, rewrite } from "tenterhook";
import { tool } from "tenterhook/agent";
import { z } from "zod";
interface Events { "custom:release": { fields: { version: string }; effects: "deny" } }
interface Refund { order: string; cents: number }
const hooks = createHooks<Events>();
const pay = (input: Refund) => input.order;
const refund = tool({ name: "Refund", description: "", input: z.object({ order: z.string(), cents: z.number() }), run: pay });
export { abort, definePlugin, deny, hooks, refund, rewrite };
`;

function mapped<Row, Result>(
  rows: Readonly<Record<string, Row>>,
  make: (row: Row) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, make(row)]));
}

// All at once: the compiler takes as long for one program as for all of them.
test("the compiler refuses what the engine would refuse, with a line that names what is wrong, and nothing else", async () => {
  const judged: Readonly<Record<string, readonly [program: string, code?: string]>> = JUDGED;
  const refused = Object.keys(REFUSED).map((code) => [code, `${REFUSED_HEAD}${code}\n`]);
  const errors = await errorsOf({
    ...mapped(judged, ([program]) => `${JUDGED_HEAD}\n${program}\n${JUDGED_TAIL}\n`),
    ...Object.fromEntries(refused),
  });
  expect(errors).toEqual({
    ...mapped(judged, ([, code]) => (code === undefined ? [] : [expect.stringMatching(`^${code}: `)])),
    ...mapped(REFUSED, (line) => [line]),
  });
});
