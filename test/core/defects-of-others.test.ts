import { ask, context, createHooks, deny, keepGoing, type RunEvent, rewrite } from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall, HERE, stop } from "../support/events.ts";

/** The defects seen in other systems, by their number in the specification. */
describe("defects of other systems that must be impossible here", () => {
  it("1: a deny after a hook that injects or rewrites is not skipped", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => [context("careful"), rewrite((input) => ({ ...input, command: "ls -l" }))]);
    hooks.on("PreToolUse", () => deny("no"));
    expect(await hooks.fire(bashCall())).toMatchObject({
      action: "deny",
      reason: "no",
      input: { command: "ls -l" },
      context: [{ text: "careful" }],
    });
  });

  it("2: a rewritten input does not escape the policy that passed the old one", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "policy", priority: 1 }, (event) =>
      String(event.tool_input.command).includes("rm") ? deny("no rm") : undefined,
    );
    hooks.on("PreToolUse", { name: "rewriter", priority: 2 }, () => rewrite({ command: "rm -rf /" }));
    const decision = await hooks.fire(bashCall("ls"));
    expect(decision).toMatchObject({ action: "deny", reason: "no rm", input: { command: "rm -rf /" } });
    expect(decision.runs.map((run) => [run.name, run.recheck ?? false])).toEqual([
      ["policy", false],
      ["rewriter", false],
      ["policy", true],
    ]);
  });

  it("3: a gate's timeout does not let the tool run", async () => {
    const hooks = createHooks();
    let signal: AbortSignal | undefined;
    hooks.on("PreToolUse", { name: "slow", timeout: 0.01 }, (_event, given) => {
      signal = given.signal;
      return new Promise<undefined>(() => {});
    });
    let ran = false;
    const call = hooks.toolCall({ ...HERE, tool_name: "Bash", tool_input: {}, execute: () => (ran = true) });
    await expect(call).rejects.toThrow('Hook "slow" failed (timeout): No answer within 0.01 s.');
    expect(ran).toBe(false);
    expect(signal?.aborted).toBe(true);
  });

  it("4: a hook's exception neither kills the run nor opens the gate", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "sync" }, () => {
      throw new Error("broken");
    });
    hooks.on("PreToolUse", { name: "async" }, async () => {
      throw new TypeError("also broken");
    });
    const decision = await hooks.fire(bashCall());
    expect(decision.action).toBe("deny");
    expect(decision.runs.map((run) => run.failure)).toEqual([
      { kind: "error", message: "Error: broken" },
      { kind: "error", message: "TypeError: also broken" },
    ]);
  });

  it("5: a Stop hook that always continues is stopped by a limit", async () => {
    const hooks = createHooks();
    hooks.on("Stop", () => keepGoing("more"));
    let continuations = 0;
    let decision = await hooks.fire(stop());
    while (decision.keep_going !== undefined) {
      continuations += 1;
      decision = await hooks.fire(stop({ stop_hook_active: true }));
    }
    expect(continuations).toBe(8);
    expect(decision.user_messages.map((message) => message.text)).toEqual([
      "A limit stopped the hooks (limits.stop_continuations): Stop hooks have kept this turn going 8 times; the limit is 8.",
    ]);
  });

  it("10: enable and disable have effect at the next event", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "guard" }, () => deny("no"));
    hooks.disable("guard");
    expect((await hooks.fire(bashCall())).action).toBe("continue");
    hooks.enable("guard");
    expect((await hooks.fire(bashCall())).action).toBe("deny");
  });

  it("11: a rewrite does not mutate the caller's object", async () => {
    const hooks = createHooks();
    const tool_input = { command: "ls", nested: { list: [1] } };
    hooks.on("PreToolUse", { on_failure: "open" }, (event) => {
      Reflect.set(event.tool_input, "command", "rm");
      return rewrite((input) => ({ ...input, command: "pwd" }));
    });
    const decision = await hooks.fire(bashCall("", { tool_input }));
    expect(tool_input).toEqual({ command: "ls", nested: { list: [1] } });
    expect(Object.isFrozen(tool_input)).toBe(false);
    expect(decision.input).toEqual({ command: "pwd", nested: { list: [1] } });
  });

  it("13: ask, rewrite and context of three hooks: none is lost", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { recheck: false }, () => ask("sure?"));
    hooks.on("PreToolUse", { recheck: false }, () => rewrite({ command: "ls -a" }));
    hooks.on("PreToolUse", { recheck: false }, () => context("hidden files follow"));
    expect(await hooks.fire(bashCall())).toMatchObject({
      action: "ask",
      reason: "sure?",
      input: { command: "ls -a" },
      context: [{ text: "hidden files follow" }],
    });
  });

  it("15: shortening multi-byte text never splits a character", async () => {
    for (const text of [
      "🙂".repeat(200),
      `a${"🙂".repeat(200)}`,
      `${"é".repeat(150)}🙂${"漢".repeat(150)}`,
    ]) {
      for (const context_characters of [1, 10, 61, 100, 113]) {
        const hooks = createHooks({ limits: { context_characters } });
        hooks.on("PreToolUse", () => [context(text), deny(text)]);
        const decision = await hooks.fire(bashCall());
        const shown = [decision.reason ?? "", ...decision.context.map((item) => item.text)];
        // Half a character does not survive the way through UTF-8.
        expect(shown.map((part) => Buffer.from(part).toString())).toEqual(shown);
      }
    }
  });

  it("17: a cancelled run leaves no begin without an end", async () => {
    const events: RunEvent[] = [];
    const hooks = createHooks();
    hooks.observe({ onRun: (event) => events.push(event) });
    const controller = new AbortController();
    hooks.on("PreToolUse", { name: "first" }, () => {
      queueMicrotask(() => controller.abort());
      return new Promise<undefined>(() => {});
    });
    hooks.on("PreToolUse", { name: "second" }, () => undefined);
    const decision = await hooks.fire(bashCall(), { signal: controller.signal });
    expect(events.map((event) => [event.type, event.hook])).toEqual([
      ["begin", "first"],
      ["end", "first"],
    ]);
    expect(decision.action).toBe("deny");
    expect(decision.runs.map((run) => [run.name, run.failure?.kind, run.skipped])).toEqual([
      ["first", "cancelled", undefined],
      ["second", "cancelled", "cancelled"],
    ]);
  });

  it("20: an unreadable answer never means allow", async () => {
    const answers: unknown[] = [
      true,
      "allow",
      42,
      {},
      { decision: "approve" },
      { type: "permit" },
      { type: "allow", reason: 7 },
      () => 1,
    ];
    for (const answer of answers) {
      const hooks = createHooks();
      internals(hooks).register("PreToolUse", {}, { type: "function", run: () => answer });
      const decision = await hooks.fire(bashCall());
      expect([decision.action, decision.runs[0]?.failure?.kind]).toEqual(["deny", "bad_output"]);
    }
  });
});
