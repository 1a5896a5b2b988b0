import { abort, allow, context, createHooks, deny, type HookOptions, rewrite, userMessage } from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall, HERE, stop } from "../support/events.ts";

describe("an observing hook", () => {
  it.each([deny("no"), allow(), rewrite({}), context("x")])(
    "that returns %j fails openly and changes nothing",
    async (outcome) => {
      const hooks = createHooks();
      hooks.on("PreToolUse", { name: "logger", observe: true, on_failure: "closed" }, () => outcome);
      expect(await hooks.fire(bashCall())).toMatchObject({
        action: "continue",
        context: [],
        runs: [
          {
            failure: {
              kind: "bad_output",
              message: `it returned ${outcome.type}, but an observer can't decide anything`,
            },
          },
        ],
      });
    },
  );

  it("that throws or hangs never closes a gate", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { observe: true }, () => {
      throw new Error("disk full");
    });
    hooks.on("PreToolUse", { observe: true, timeout: 0.01 }, () => new Promise<undefined>(() => {}));
    const decision = await hooks.fire(bashCall());
    expect(decision.action).toBe("continue");
    expect(decision.runs.map((run) => run.failure?.kind)).toEqual(["error", "timeout"]);
  });
});

describe("an async hook", () => {
  it("does not delay the event, and its context goes to the next event that takes context", async () => {
    const hooks = createHooks();
    let finish = (): void => {};
    const review = new Promise<void>((resolve) => {
      finish = resolve;
    });
    hooks.on("PostToolUse", { name: "review", async: true }, async () => {
      await review;
      return [context("the review found a bug"), userMessage("reviewed")];
    });
    const first = await hooks.fire({ ...bashCall(), hook_event_name: "PostToolUse" });
    expect(first.runs).toMatchObject([{ name: "review", async: true }]);
    expect(first.context).toEqual([]);
    finish();
    await hooks.settled();
    const stopped = await hooks.fire(stop());
    expect(stopped.context).toEqual([]);
    expect(stopped.user_messages.map((message) => message.text)).toEqual(["reviewed"]);
    const next = await hooks.fire(bashCall());
    expect(next.context).toMatchObject([{ text: "the review found a bug", hook: "review" }]);
    expect((await hooks.fire(bashCall())).context).toEqual([]);
  });

  it("may add context from an event that takes none itself", async () => {
    const hooks = createHooks();
    internals(hooks).register("Stop", { async: true }, { type: "function", run: () => context("late") });
    await hooks.fire(stop());
    await hooks.settled();
    expect((await hooks.fire(bashCall())).context).toMatchObject([{ text: "late" }]);
  });

  it("adds to what other async hooks left for the next event", async () => {
    const hooks = createHooks();
    for (const name of ["a", "b"])
      hooks.on("PostToolUse", { name, async: true }, () => [context(`seen by ${name}`), userMessage(name)]);
    await hooks.fire({ ...bashCall(), hook_event_name: "PostToolUse" });
    await hooks.settled();
    const next = await hooks.fire(bashCall());
    expect(next.context.map(({ text }) => text)).toEqual(["seen by a", "seen by b"]);
    expect(next.user_messages.map(({ text }) => text)).toEqual(["a", "b"]);
  });

  it("never decides: a deny is a failure that is shown later", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "late", async: true, once: true }, () => deny("too late"));
    expect((await hooks.fire(bashCall())).action).toBe("continue");
    await hooks.settled();
    const next = await hooks.fire(bashCall());
    expect(next.action).toBe("continue");
    expect(next.user_messages.map((message) => message.text)).toEqual([
      'Hook "late" failed (bad_output): it returned deny, but an async hook can only add context',
    ]);
  });

  it("sees the input as it was at its place", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    const watch: HookOptions = { async: true };
    hooks.on("PreToolUse", watch, ({ tool_input }) => {
      seen.push(tool_input.command);
    });
    hooks.on("PreToolUse", { recheck: false }, () => rewrite({ command: "b" }));
    hooks.on("PreToolUse", watch, ({ tool_input }) => {
      seen.push(tool_input.command);
    });
    await hooks.fire(bashCall("a"));
    await hooks.settled();
    expect(seen).toEqual(["a", "b"]);
  });

  it("has its signal aborted when the run is cancelled", async () => {
    const hooks = createHooks();
    const controller = new AbortController();
    let aborted = false;
    hooks.on("PreToolUse", { async: true }, (_event, { signal }) => {
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      setTimeout(() => controller.abort());
      return new Promise<undefined>(() => {});
    });
    await hooks.fire(bashCall(), { signal: controller.signal });
    await hooks.settled();
    expect(aborted).toBe(true);
  });

  it("does not begin before the caller of fire has gone on", async () => {
    const hooks = createHooks();
    const order: string[] = [];
    hooks.on("PreToolUse", { async: true }, () => {
      order.push("hook");
    });
    await hooks.fire(bashCall());
    order.push("caller");
    await hooks.settled();
    expect(order).toEqual(["caller", "hook"]);
  });

  it("hands an abort of an Error hook about it to the session's next event", async () => {
    const hooks = createHooks();
    hooks.on("PostToolUse", { async: true }, () => {
      throw new Error("review broke");
    });
    hooks.on("Error", () => abort("no review, no work"));
    await hooks.fire({ ...bashCall(), hook_event_name: "PostToolUse" });
    await hooks.settled();
    expect(await hooks.fire(bashCall())).toMatchObject({
      action: "deny",
      abort: { reason: "no review, no work" },
    });
    expect((await hooks.fire(bashCall())).abort).toBeUndefined();
  });

  it("does not replace the abort that another async hook left", async () => {
    const hooks = createHooks();
    for (const name of ["a", "b"])
      hooks.on("PostToolUse", { name, async: true }, () => {
        throw new Error("broken");
      });
    const failures: string[] = [];
    let bothFailed = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      bothFailed = resolve;
    });
    hooks.on("Error", async ({ error_message }) => {
      failures.push(error_message);
      if (failures.length === 2) bothFailed();
      await waiting;
      return abort(error_message);
    });
    await hooks.fire({ ...bashCall(), hook_event_name: "PostToolUse" });
    await hooks.settled();
    expect((await hooks.fire(bashCall())).abort).toEqual({ reason: failures[0] });
    expect(failures).toHaveLength(2);
  });
});

describe("a once hook", () => {
  it("runs once in a session for each kind of event, also when it failed", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(["PreToolUse", "PostToolUse"], { once: true, on_failure: "open" }, (event) => {
      seen.push(`${event.session_id} ${event.hook_event_name}`);
      throw new Error("broken");
    });
    for (const session_id of ["a", "a", "b"]) {
      await hooks.fire(bashCall("ls", { session_id }));
      await hooks.fire({ ...bashCall("ls", { session_id }), hook_event_name: "PostToolUse" });
    }
    expect(seen).toEqual(["a PreToolUse", "a PostToolUse", "b PreToolUse", "b PostToolUse"]);
  });

  it("runs once also when events are decided at the same time", async () => {
    const hooks = createHooks();
    let ran = 0;
    hooks.on("PreToolUse", { priority: 1 }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
    });
    hooks.on("PreToolUse", { priority: 2, once: true, parallel: true }, () => {
      ran += 1;
    });
    await Promise.all([1, 2, 3].map(() => hooks.fire(bashCall())));
    expect(ran).toBe(1);
  });

  it("keeps its turn when the run ended before it came", async () => {
    const hooks = createHooks();
    let ran = 0;
    hooks.on("PreToolUse", { once: true }, () => {
      ran += 1;
    });
    const controller = new AbortController();
    controller.abort();
    await hooks.fire(bashCall(), { signal: controller.signal });
    expect(ran).toBe(0);
    await hooks.fire(bashCall());
    await hooks.fire(bashCall());
    expect(ran).toBe(1);
  });
});

describe("a synchronous function", () => {
  it("can't be interrupted, so its answer counts after its deadline too", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { timeout: 0.001 }, () => {
      const end = performance.now() + 5;
      while (performance.now() < end);
      return deny("slow but sure");
    });
    expect(await hooks.fire(bashCall())).toMatchObject({ action: "deny", reason: "slow but sure" });
  });
});

describe("a cancelled event", () => {
  it("asks no gate and refuses, and goes on where nothing is gated", async () => {
    const hooks = createHooks();
    hooks.on(["PreToolUse", "Notification"], () => undefined);
    const signal = AbortSignal.abort();
    expect((await hooks.fire(bashCall(), { signal })).action).toBe("deny");
    expect(
      (await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" }, { signal })).action,
    ).toBe("continue");
  });
});
