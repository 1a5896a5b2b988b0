import {
  createHooks,
  type Decision,
  deny,
  type EventInput,
  type HookContext,
  type HookEvent,
  type HookFunction,
  type OutcomeOf,
  type ToolInput,
  userMessage,
} from "tenterhook";
import { expectTypeOf, test } from "vitest";

// These are checked by `tsc`, as part of `npm run check`; at run time they only register hooks.
const hooks = createHooks();

test("a hook on PreToolUse sees the tool's name and input", () => {
  hooks.on("PreToolUse", (event, context) => {
    expectTypeOf(event).toEqualTypeOf<HookEvent<"PreToolUse">>();
    expectTypeOf(event.hook_event_name).toEqualTypeOf<"PreToolUse">();
    expectTypeOf(event.tool_name).toEqualTypeOf<string>();
    expectTypeOf(event.tool_input).toEqualTypeOf<ToolInput>();
    expectTypeOf(event.event_id).toEqualTypeOf<string>();
    expectTypeOf(context).toEqualTypeOf<HookContext>();
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
  });
});

test("a hook on several events sees their union, and tells them apart by name", () => {
  hooks.on(["PostToolUse", "PostToolUseFailure"], (event) => {
    expectTypeOf(event).toEqualTypeOf<HookEvent<"PostToolUse"> | HookEvent<"PostToolUseFailure">>();
    expectTypeOf(event.tool_name).toEqualTypeOf<string>();
    if (event.hook_event_name === "PostToolUseFailure")
      expectTypeOf(event.error).toEqualTypeOf<string | undefined>();
    else expectTypeOf(event.tool_response).toEqualTypeOf<unknown>();
  });
});

test("a hook of a custom event sees the fields of its type", () => {
  const own = createHooks<{ "custom:deploy": { fields: { target: string }; effects: "deny" } }>();
  own.declare("custom:deploy", { effects: ["deny"], requires: ["target"] });
  own.on("custom:deploy", (event) => {
    expectTypeOf(event.hook_event_name).toEqualTypeOf<"custom:deploy">();
    expectTypeOf(event.target).toEqualTypeOf<string>();
    return deny("not on a Friday");
  });
});

test("an event allows its own effects, and a message and an end everywhere", () => {
  expectTypeOf<OutcomeOf<"Notification">["type"]>().toEqualTypeOf<"user_message" | "abort">();
  expectTypeOf<OutcomeOf<"PreToolUse">["type"]>().toEqualTypeOf<
    "allow" | "ask" | "deny" | "rewrite" | "answer" | "time_limit" | "context" | "user_message" | "abort"
  >();
  hooks.on("Notification", async () => userMessage("seen"));
  hooks.on("PreToolUse", () => [deny("no"), undefined, userMessage("refused")]);
  hooks.on("PreToolUse", async () => {});
});

test("fire takes what the caller knows, and gives a decision", () => {
  expectTypeOf<EventInput<"PreToolUse">>().toHaveProperty("tool_input");
  expectTypeOf(hooks.fire<"PreToolUse">).returns.toEqualTypeOf<Promise<Decision>>();
});

test("toolCall gives what the tool gives", () => {
  const call = { session_id: "s", cwd: "/", tool_name: "Count", tool_input: {} };
  const count = () => hooks.toolCall({ ...call, execute: async (input) => Object.keys(input).length });
  expectTypeOf(count).returns.toEqualTypeOf<Promise<number>>();
  const list = () => hooks.toolCall({ ...call, execute: () => ["a"] });
  expectTypeOf(list).returns.toEqualTypeOf<Promise<string[]>>();
});

test("a hook function can be written on its own", () => {
  const refuse: HookFunction<"PreToolUse"> = ({ tool_name }) => deny(tool_name);
  expectTypeOf(refuse).parameter(0).toEqualTypeOf<HookEvent<"PreToolUse">>();
});
