import { createHooks, type HookDefinition } from "tenterhook";
import { describe, expect, it } from "vitest";
import { bashCall } from "../support/events.ts";

describe("the result of a call that does not run can come from", () => {
  it.each<[string, Partial<HookDefinition>]>([
    ["a rule", { type: "inline", rules: 'command exists -> answer("done before")' }],
    ["a command", { type: "command", command: `echo '{"action":"answer","answer":"done before"}'` }],
  ])("%s", async (_, more) => {
    const hooks = createHooks();
    await hooks.add({ name: "cache", type: "inline", matcher: { events: "PreToolUse" }, ...more });
    expect(await hooks.fire(bashCall("make"))).toMatchObject({
      action: "continue",
      answer: "done before",
      runs: [{ name: "cache", outcome: { answer: "done before" } }],
    });
  });
});
