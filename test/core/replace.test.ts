import { createHooks, deny, internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall, HERE } from "../support/events.ts";

const handler = (run: () => unknown = () => undefined, close?: () => void) => ({
  type: "test",
  run,
  ...(close && { close }),
});

describe("hooks.replace", () => {
  it("takes hooks out and adds others in order; those in both keep their counts, the others end", async () => {
    const hooks = createHooks();
    const closed: string[] = [];
    const prepare = (name: string) =>
      internals(hooks).prepare(
        "PreToolUse",
        { name },
        handler(undefined, () => closed.push(name)),
      );
    const [a, b, c] = [prepare("a"), prepare("b"), prepare("c")];
    expect(hooks.list()).toEqual([]);
    internals(hooks).replace([], [a, b]);
    await hooks.fire(bashCall());
    internals(hooks).replace([a, b], [c, b]);
    await hooks.fire(bashCall());
    expect([hooks.stats().map(({ name, runs }) => [name, runs]), closed]).toEqual([
      [
        ["c", 1],
        ["b", 2],
      ],
      ["a"],
    ]);
    internals(hooks).replace([a, b, c], []);
    expect([hooks.list(), closed]).toEqual([[], ["a", "b", "c"]]);
  });

  it("changes nothing when a name is taken, but gives a name that is given up", () => {
    const hooks = createHooks();
    const prepare = (name: string) => internals(hooks).prepare("PreToolUse", { name }, handler());
    const [a, again, b] = [prepare("a"), prepare("a"), prepare("b")];
    internals(hooks).replace([], [a]);
    for (const after of [[again], [b, b]])
      expect(() => internals(hooks).replace([], after)).toThrow(
        expect.objectContaining({ code: "duplicate_hook" }),
      );
    expect(hooks.list().map(({ name }) => name)).toEqual(["a"]);
    internals(hooks).replace([a], [again, b]);
    expect(hooks.list().map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("lets an event that is being decided finish with the hooks it started with", async () => {
    const hooks = createHooks();
    let answer: (value: unknown) => void = () => undefined;
    const slow = internals(hooks).prepare(
      "PreToolUse",
      { name: "slow" },
      handler(() => new Promise((resolve) => (answer = resolve))),
    );
    const next = internals(hooks).prepare("PreToolUse", { name: "next" }, handler());
    internals(hooks).replace([], [slow]);
    const deciding = hooks.fire(bashCall());
    internals(hooks).replace([slow], [next]);
    answer(deny("slow says no"));
    expect((await deciding).reason).toBe("slow says no");
    expect((await hooks.fire(bashCall())).runs.map(({ name }) => name)).toEqual(["next"]);
  });
});

describe("hooks.before", () => {
  it("delays every event until it is done, also those of sets that include it, until it is removed", async () => {
    const hooks = createHooks();
    const outer = createHooks().include(hooks);
    const done: string[] = [];
    const end = internals(hooks).before(async () => {
      await Promise.resolve();
      done.push("before");
    });
    hooks.on("PreToolUse", () => void done.push("hook"));
    await hooks.fire(bashCall());
    await outer.fire(bashCall());
    await outer.toolCall({ ...HERE, tool_name: "Other", tool_input: {}, execute: () => done.push("ran") });
    expect(done).toEqual(["before", "hook", "before", "hook", "before", "hook", "ran", "before"]);
    done.length = 0;
    end();
    await hooks.fire(bashCall());
    expect(done).toEqual(["hook"]);
  });

  it("can add hooks that run on this very event", async () => {
    const hooks = createHooks();
    const end = internals(hooks).before(() => {
      end();
      hooks.on("PreToolUse", { name: "new" }, () => deny("new"));
      return undefined;
    });
    expect((await hooks.fire(bashCall())).action).toBe("deny");
  });

  it("does not delay a caller that cancels: the gates are closed then", async () => {
    const hooks = createHooks();
    internals(hooks).before(() => new Promise(() => undefined));
    hooks.on("PreToolUse", () => undefined);
    const controller = new AbortController();
    const deciding = hooks.fire(bashCall(), { signal: controller.signal });
    controller.abort();
    expect((await deciding).action).toBe("deny");
    expect((await hooks.fire(bashCall(), { signal: controller.signal })).action).toBe("deny");
  });

  it("that fails leaves the event undecided", async () => {
    const hooks = createHooks();
    internals(hooks).before(() => Promise.reject(new Error("broken")));
    await expect(hooks.fire(bashCall())).rejects.toThrow("broken");
  });
});

it("hooks.configure changes limits immediately and the timeout of later hooks, and resets what is left out", () => {
  const hooks = createHooks({ timeout: 4, limits: { hook_turns: 2 } });
  const timeoutOfNext = () => {
    const off = hooks.on("Stop", { name: "x" }, () => undefined);
    const [hook] = hooks.list();
    off();
    return hook?.timeout;
  };
  hooks.configure({ timeout: 9 });
  expect(timeoutOfNext()).toBe(9);
  hooks.configure({});
  expect(timeoutOfNext()).toBe(4);
  expect(() => hooks.configure({ timeout: 0 })).toThrow("timeout is 0");
  expect(() => hooks.configure({ limits: { hook_turns: -1 } })).toThrow("hook_turns");
});
