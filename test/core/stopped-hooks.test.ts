import { AsyncLocalStorage } from "node:async_hooks";
import { createHooks, deny } from "tenterhook";
import { createHooks as createPlainHooks, defaultPorts, internals } from "tenterhook/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bashCall } from "../support/events.ts";

const never = (): Promise<undefined> => new Promise(() => {});
const soon = async (): Promise<undefined> => undefined;

type Answer = (value: undefined) => void;

/** A promise of one's own making, which calls back whenever it likes. */
function promiseLike(begin: (answer: Answer) => void): Promise<undefined> {
  return Object.defineProperty(never(), ["th", "en"].join(""), { value: begin });
}

const later = async (): Promise<ReturnType<typeof deny>> => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return deny("The gate has the last word.");
};

describe("a hook that answers in the moment in which it is stopped", () => {
  it.each<[string, number, number | undefined]>([
    ["at its deadline", 0.005, undefined],
    ["by a cancel", 30, 5],
  ])("%s is over once, and the gate behind it is waited for", async (_, timeout, cancelAfter) => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "stopped", timeout, on_failure: "open" }, (__, { signal }) =>
      promiseLike((answer) => signal.addEventListener("abort", () => answer(undefined))),
    );
    hooks.on("PreToolUse", { name: "gate" }, later);
    hooks.on("PreToolUse", { name: "last" }, soon);
    const controller = new AbortController();
    if (cancelAfter !== undefined) setTimeout(() => controller.abort(), cancelAfter);

    const { action, runs } = await hooks.fire(bashCall("ls"), { signal: controller.signal });

    const kind = cancelAfter === undefined ? "timeout" : "cancelled";
    const rest = cancelAfter === undefined ? undefined : "cancelled";
    expect([action, runs.map(({ name, failure }) => [name, failure?.kind])]).toEqual([
      "deny",
      [
        ["stopped", kind],
        ["gate", rest],
        ["last", rest],
      ],
    ]);
  });
});

it("any number of hooks may answer immediately with thenables of their own", async () => {
  const hooks = createHooks();
  for (let at = 0; at < 5000; at += 1)
    hooks.on("PreToolUse", () => promiseLike((answer) => answer(undefined)));
  hooks.on("PreToolUse", later);

  const { action, reason, runs } = await hooks.fire(bashCall("ls"));

  expect([action, reason, runs.length]).toEqual(["deny", "The gate has the last word.", 5001]);
});

describe("the async context of the caller", () => {
  const storage = new AsyncLocalStorage<string>();

  it.each<[string, () => Promise<undefined>]>([
    ["never answers", never],
    ["answers at once with a promise of its own making", () => promiseLike((answer) => answer(undefined))],
    [
      "answers from elsewhere",
      () => promiseLike((answer) => storage.run("elsewhere", () => setTimeout(() => answer(undefined), 2))),
    ],
  ])("is there for the hook behind one that %s", async (_, first) => {
    const hooks = createHooks();
    const seen: (string | undefined)[] = [];
    hooks.on("PreToolUse", { timeout: 0.01, on_failure: "open" }, first);
    hooks.on("PreToolUse", () => {
      seen.push(storage.getStore());
    });
    const fire = (who: string): Promise<unknown> => storage.run(who, () => hooks.fire(bashCall("ls")));

    await Promise.all([fire("a"), fire("b"), fire("c")]);

    expect(seen.toSorted()).toEqual(["a", "b", "c"]);
  });
});

describe("when timers of the program are lost", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("later hooks still have their deadlines", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { matcher: { tools: ["Bash"] } }, soon);
    hooks.on("Stop", { timeout: 0.005 }, never);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await hooks.fire(bashCall("ls"));
    vi.useRealTimers();
    await new Promise((resolve) => setTimeout(resolve, 50));

    const { runs } = await hooks.fire({ hook_event_name: "Stop", session_id: "s", cwd: "/" });

    expect(runs.map(({ failure }) => failure?.kind)).toEqual(["timeout"]);
  });
});

it("the time a matcher takes to load does not count against its hook's timeout", async () => {
  const ports = defaultPorts();
  let passed = 0;
  const load = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    passed = 60_000;
  };
  const ready = load();
  const test = (): boolean => true;
  const hooks = createPlainHooks(
    {},
    {
      ...ports,
      clock: { ...ports.clock, monotonic: () => ports.clock.monotonic() + passed },
      conditions: {
        when: () => ({ test, ready }),
        commandPatterns: () => ({ test, ready, covers: () => false }),
      },
    },
  );
  hooks.on("PreToolUse", { when: "x" }, () => new Promise((resolve) => setTimeout(resolve, 20)));

  const { runs } = await hooks.fire(bashCall("ls"));

  expect(runs.map(({ failure, duration_ms }) => [failure, duration_ms < 60_000])).toEqual([
    [undefined, true],
  ]);
});

it("a set wants the events its hooks listen to, also those of certain tools only", () => {
  const hooks = createHooks();
  const off = hooks.on("PreToolUse", { matcher: { tools: ["Bash"] } }, soon);
  expect([internals(hooks).wants("PreToolUse"), internals(hooks).wants("PostToolUse")]).toEqual([
    true,
    false,
  ]);
  off();
  expect(internals(hooks).wants("PreToolUse")).toBe(false);
});

it("an invalid signal closes the gates that are waited for, and affects no other event", async () => {
  const hooks = createHooks();
  hooks.on("PreToolUse", { matcher: { tools: ["Bash"] } }, never);
  hooks.on("PreToolUse", { matcher: { tools: ["Read"] }, timeout: 0.005 }, never);
  // As a caller without types gives it, who forgot the name of the field.
  const signal = JSON.parse('{ "aborted": false }');
  const decisions = await Promise.all([
    hooks.fire(bashCall("ls"), { signal }),
    hooks.fire({ ...bashCall("ls"), tool_name: "Read" }),
  ]);
  expect(decisions.map(({ action, runs }) => [action, runs.map(({ failure }) => failure?.kind)])).toEqual([
    ["deny", ["error"]],
    ["deny", ["timeout"]],
  ]);
});
