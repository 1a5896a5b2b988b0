import { expect, test } from "vitest";
import { errorsOf } from "./support/compiled.ts";

const EVENT = 'session_id: "s", cwd: "/"';

/** What a user might write, and the code of the compiler's error; none for what is right. */
const PROGRAMS = {
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

const HEAD = `import { createHooks, deny, keepGoing } from "tenterhook"; const hooks = createHooks();
declare module "tenterhook" {
  interface CustomEvents { "custom:release": { fields: { version: string }; effects: "deny" } }
}`;
const TAIL = "export { deny, hooks, keepGoing };";

test("the compiler refuses what the engine would refuse, and nothing else", async () => {
  const programs: Record<string, string> = {};
  const expected: Record<string, readonly string[]> = {};
  for (const [name, [program, code]] of Object.entries(PROGRAMS)) {
    programs[name] = `${HEAD}\n${program}\n${TAIL}\n`;
    expected[name] = code === undefined ? [] : [expect.stringMatching(`^${code}: `)];
  }
  expect(await errorsOf(programs)).toEqual(expected);
});
