import { allow, createHooks, deny, HookFailureError, rewrite } from "tenterhook";
import { expect, it } from "vitest";
import { native } from "../../src/core/events/outcomes.ts";
import { leastEvent } from "../support/least-events.ts";

it("keys for the agent itself are joined in hook order: lists grow, of other values the last counts", async () => {
  const hooks = createHooks();
  const own = (title: string, path: string) =>
    native({ hookSpecificOutput: { sessionTitle: title, watchPaths: [path] } });
  hooks.declare("claude:Started", { effects: [] });
  hooks.on("claude:Started", () => own("first", "/a"));
  hooks.on("claude:Started", () => [own("second", "/b"), native({ terminalSequence: "x" })]);
  const { native: joined, runs } = await hooks.fireUntyped({
    hook_event_name: "claude:Started",
    session_id: "s1",
    cwd: "/",
  });
  expect(joined).toEqual({
    hookSpecificOutput: { sessionTitle: "second", watchPaths: ["/a", "/b"] },
    terminalSequence: "x",
  });
  expect(runs[0]?.outcome).toEqual({
    action: "continue",
    native: { hookSpecificOutput: { sessionTitle: "first", watchPaths: ["/a"] } },
  });
});

it.each(["open", "closed"] as const)(
  "what a hook said before it failed counts only where the failure is let pass: %s",
  async (on_failure) => {
    const hooks = createHooks();
    const outcomes = [allow(), rewrite({ command: "ls" })];
    hooks.on("PreToolUse", { on_failure }, () => {
      throw new HookFailureError("error", "Exit code 1", { outcomes });
    });
    const { action, input, user_messages } = await hooks.fireUntyped(leastEvent("PreToolUse"));
    const passes = on_failure === "open";
    expect([action, input]).toEqual(passes ? ["allow", { command: "ls" }] : ["deny", undefined]);
    expect(user_messages).toMatchObject([{ level: passes ? "warning" : "error" }]);
  },
);

it("what a failed hook refuses counts in any case", async () => {
  const hooks = createHooks();
  hooks.on("PreToolUse", { on_failure: "open" }, () => {
    throw new HookFailureError("bad_output", "faulty", { refusals: [deny("WHY")] });
  });
  expect(await hooks.fireUntyped(leastEvent("PreToolUse"))).toMatchObject({ action: "deny", reason: "WHY" });
});
