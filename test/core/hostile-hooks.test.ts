import { runInNewContext } from "node:vm";
import {
  abort,
  allow,
  context,
  createHooks,
  deny,
  type HookContext,
  type HookOptions,
  keepGoing,
  type RunEvent,
  rewrite,
} from "tenterhook";
import { createHooks as createPlainHooks, defaultPorts, internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall, HERE, stop } from "../support/events.ts";

const unreadable = Object.create(null);
const fail = (): never => {
  throw new Error("no");
};
const THEN: string = ["th", "en"].join("");
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  "an outcome whose type can't be read": () => ({
    get type() {
      throw new Error("no type");
    },
  }),
  "a list whose items can't be read": () =>
    new Proxy([], {
      get: () => {
        throw new Error("no");
      },
    }),
  "a then that throws": () => Object.fromEntries([[THEN, fail]]),
  "a then that throws when it is looked at": () => Object.defineProperty({}, THEN, { get: fail }),
  "a throw of what has no text": () => {
    throw unreadable;
  },
  "a rejection with what has no text": async () => {
    throw unreadable;
  },
  "a promise of an outcome that can't be read": async () =>
    new Proxy(
      {},
      {
        get: (_target, key) => {
          if (key === "then") return undefined;
          throw new Error("no");
        },
      },
    ),
  "a list with a rejected promise": () => [Promise.reject(new Error("nobody waits"))],
  "a rewrite by an async function that fails": () =>
    rewrite(async () => {
      throw new Error("nobody waits");
    }),
  "a rewrite by a function that throws what has no text": () =>
    rewrite(() => {
      throw unreadable;
    }),
  "a promise of another realm that rejects": () => runInNewContext("Promise.reject(new Error('elsewhere'))"),
};

it("does not take the second answer of a hook for the next one's", async () => {
  const hooks = createHooks();
  let again = (): void => {};
  const answersTwice: PromiseLike<undefined> = new Proxy(Promise.resolve(undefined), {
    get: (_target, key) => {
      if (key !== "then") return undefined;
      return (answer: (value: undefined) => void) => {
        answer(undefined);
        again = () => answer(undefined);
      };
    },
  });
  internals(hooks).register("PreToolUse", {}, { type: "function", run: () => answersTwice });
  hooks.on("PreToolUse", async () => {
    again();
    await new Promise((resolve) => setTimeout(resolve, 1));
    return deny("The second has the last word.");
  });

  const { action, reason } = await hooks.fire(bashCall("ls"));

  expect({ action, reason }).toEqual({ action: "deny", reason: "The second has the last word." });
});

it("does not take the late answer of a hook that timed out for the next one's", async () => {
  const hooks = createHooks();
  let answerLate = (): void => {};
  const late = new Promise<undefined>((resolve) => {
    answerLate = () => resolve(undefined);
  });
  hooks.on("PreToolUse", { timeout: 0.001, on_failure: "open" }, () => late);
  hooks.on("PreToolUse", async () => {
    answerLate();
    await new Promise((resolve) => setTimeout(resolve, 1));
    return deny("The second has the last word.");
  });

  const { action, reason } = await hooks.fire(bashCall("ls"));

  expect({ action, reason }).toEqual({ action: "deny", reason: "The second has the last word." });
});

describe("a hook that answers with", () => {
  for (const [what, run] of Object.entries(ANSWERS)) {
    it.each<[string, HookOptions<string>]>([
      ["in order", {}],
      ["in a group", { parallel: true }],
      ["beside everything", { async: true }],
    ])(`${what} fails, %s, and harms nobody`, async (_where, options) => {
      const events: RunEvent[] = [];
      const hooks = createHooks();
      hooks.observe({ onRun: (event) => events.push(event) });
      internals(hooks).register("PreToolUse", options, { type: "function", run });
      const decision = await hooks.fire(bashCall());
      await hooks.settled();
      // Rejections nobody handles show at the end of the tick.
      await new Promise((resolve) => setTimeout(resolve));
      expect(decision.action).toBe(options.async ? "continue" : "deny");
      expect(events.map((event) => event.type)).toEqual(["begin", "end"]);
      const [, end] = events;
      expect(end?.type === "end" && ["error", "bad_output"].includes(end.run.failure?.kind ?? "")).toBe(true);
    });
  }

  it("a deny whose reason is not a string still denies", async () => {
    const hooks = createHooks();
    internals(hooks).register(
      "PreToolUse",
      { on_failure: "open" },
      { type: "function", run: () => ({ type: "deny", reason: 7 }) },
    );
    expect(await hooks.fire(bashCall())).toMatchObject({
      action: "deny",
      runs: [{ failure: { kind: "bad_output" } }],
    });
  });
});

describe("a hostile hook", () => {
  it("can reach neither the engine nor the caller's agent and tool through its context", async () => {
    const hooks = createHooks();
    const agent = { id: "a", type: "main", messages: [{ role: "user" }] };
    const tool = { name: "Bash" };
    let given: HookContext | undefined;
    hooks.on("PreToolUse", { on_failure: "open" }, (_event, received) => {
      given = received;
      Reflect.set(Object(received.tool), "name", "Evil");
      Reflect.apply(Array.prototype.push, received.agent?.messages, [{ role: "evil" }]);
    });
    await hooks.fire(bashCall(), { agent, tool });
    expect(Object.keys(Object(given))).toEqual([]);
    expect([agent.messages, tool]).toEqual([[{ role: "user" }], { name: "Bash" }]);
  });

  it("that fires events itself, or removes itself, disturbs no other hook", async () => {
    const hooks = createHooks();
    const off = hooks.on("PreToolUse", { name: "outer" }, async () => {
      off();
      const inner = await hooks.fire(bashCall("inner"));
      return inner.action === "deny" ? deny("inner said no") : undefined;
    });
    hooks.on("PreToolUse", { name: "judge" }, ({ tool_input }) =>
      tool_input.command === "inner" ? deny("no") : undefined,
    );
    expect(await hooks.fire(bashCall("outer"))).toMatchObject({ action: "deny", reason: "inner said no" });
  });
});

describe("very long texts", () => {
  const long = "x".repeat(100_000);
  it("are capped wherever a model, a record or the user reads them", async () => {
    const hooks = createHooks({ limits: { context_characters: 200 } });
    hooks.on("PreToolUse", () => [context(long), deny(long), abort(long)]);
    hooks.on("Stop", () => keepGoing(long));
    hooks.on("Notification", () => {
      throw new Error(long);
    });
    const decisions = [
      await hooks.fire(bashCall()),
      await hooks.fire(stop()),
      await hooks.fire({ ...HERE, hook_event_name: "Notification", message: "m" }),
    ];
    expect(JSON.stringify(decisions).length).toBeLessThan(12_000);
    expect(decisions[0]?.context[0]?.text.length).toBeLessThanOrEqual(200);
    expect(decisions[1]?.keep_going?.reason.length).toBe(200);
  });
});

describe("a matcher that loads", () => {
  const waiting = (ready: Promise<void>, test = (): boolean => true): ReturnType<typeof defaultPorts> => ({
    ...defaultPorts(),
    conditions: {
      when: () => ({ test, ready }),
      commandPatterns: () => ({ test, ready, covers: () => false }),
    },
  });

  it("a matcher that has to load is waited for", async () => {
    let loaded = false;
    const ready = new Promise<void>((resolve) => setTimeout(resolve, 2)).then(() => {
      loaded = true;
    });
    const hooks = createPlainHooks(
      {},
      waiting(ready, () => loaded),
    );
    hooks.on("PreToolUse", { when: "x" }, () => deny("matched"));
    expect((await hooks.fire(bashCall())).action).toBe("deny");
  });

  it("too late closes the gate: at its deadline, when it fails and when the run is cancelled", async () => {
    const never = createPlainHooks({}, waiting(new Promise(() => {})));
    never.on("PreToolUse", { when: "x", timeout: 0.01 }, () => undefined);
    expect((await never.fire(bashCall())).runs[0]?.failure).toEqual({
      kind: "timeout",
      message: "Its matcher failed: It was not loaded within 0.01 s.",
    });
    const broken = createPlainHooks({}, waiting(Promise.reject(new Error("bad rule"))));
    broken.on("PreToolUse", { when: "x" }, () => undefined);
    expect(await broken.fire(bashCall())).toMatchObject({
      action: "deny",
      runs: [{ failure: { kind: "error" } }],
    });
    const slow = createPlainHooks({}, waiting(new Promise(() => {})));
    slow.on("PreToolUse", { when: "x", timeout: 5 }, () => undefined);
    expect(await slow.fire(bashCall(), { signal: AbortSignal.abort() })).toMatchObject({ action: "deny" });
  });

  it("for one command of a line can't allow the others", async () => {
    const hooks = createPlainHooks({}, waiting(Promise.resolve()));
    hooks.on("PreToolUse", { command_patterns: ["ls *"] }, () => allow());
    expect((await hooks.fire(bashCall("ls; rm -rf /"))).action).toBe("continue");
  });
});

describe("a cancelled event", () => {
  it("asks no further gate in the recheck and refuses", async () => {
    const hooks = createHooks();
    const controller = new AbortController();
    hooks.on("PreToolUse", { name: "gate", priority: 1 }, () => undefined);
    hooks.on("PreToolUse", { priority: 2, recheck: false }, () => {
      controller.abort();
      return rewrite({ command: "b" });
    });
    expect(await hooks.fire(bashCall("a"), { signal: controller.signal })).toMatchObject({
      action: "deny",
      reason: "The run was cancelled.",
      runs: [{ name: "gate" }, {}, { name: "gate", recheck: true, skipped: "cancelled" }],
    });
  });

  it("fires its Error events without waiting for them", async () => {
    const hooks = createHooks();
    const errors: string[] = [];
    hooks.on("Error", ({ error_type }) => {
      errors.push(error_type);
    });
    hooks.on("PreToolUse", { name: "gate" }, () => undefined);
    const decision = await hooks.fire(bashCall(), { signal: AbortSignal.abort() });
    expect([decision.action, decision.user_messages]).toEqual(["deny", []]);
    await hooks.settled();
    expect(errors).toEqual(["hook_cancelled"]);
  });
});

describe("what belongs together", () => {
  it("a hook that permits and rewrites in one answer permits what it wrote", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", ({ tool_input }) =>
      tool_input.command === "ls" ? [allow(), rewrite({ command: "ls -l" })] : undefined,
    );
    expect(await hooks.fire(bashCall("ls"))).toMatchObject({ action: "allow", input: { command: "ls -l" } });
  });

  it("a run that ends is not kept going", async () => {
    const hooks = createHooks();
    hooks.on("Stop", () => keepGoing("more"));
    hooks.on("Stop", () => abort("enough"));
    const decision = await hooks.fire(stop());
    expect([decision.keep_going, decision.abort]).toEqual([undefined, { reason: "enough" }]);
  });

  it("closed on a pending MemoryUpdate refuses", async () => {
    const hooks = createHooks();
    hooks.on("MemoryUpdate", { on_failure: "closed" }, () => {
      throw new Error("x");
    });
    const event = { ...HERE, hook_event_name: "MemoryUpdate", file_path: "AGENTS.md" } as const;
    expect((await hooks.fire({ ...event, pending: true })).action).toBe("deny");
    expect((await hooks.fire(event)).action).toBe("continue");
  });

  it("an event about the empty tool and one without a tool have plans of their own", async () => {
    const hooks = createHooks();
    hooks.on("Error", { name: "any-tool", tools: ["*"] }, () => undefined);
    const error = { ...HERE, hook_event_name: "Error", error_type: "x", error_message: "y" } as const;
    const asked = [];
    for (const event of [error, { ...error, tool: "" }, error, { ...error, tool: "\u0000all" }])
      asked.push((await hooks.fire(event)).runs.length);
    expect(asked).toEqual([0, 1, 0, 1]);
  });

  it("a list the caller froze is shared, not copied", async () => {
    const hooks = createHooks();
    let seen: unknown;
    hooks.on("PreIteration", ({ messages }) => {
      seen = messages;
    });
    const messages = Object.freeze([Object.freeze({ role: "user", content: Object.freeze(["hi"]) })]);
    await hooks.fire({ ...HERE, hook_event_name: "PreIteration", messages });
    expect(seen).toBe(messages);
  });
});
