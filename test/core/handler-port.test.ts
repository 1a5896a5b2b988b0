import { allow, createHooks, deny, HookFailureError, internals, rewrite } from "tenterhook/core";
import { expect, it } from "vitest";
import { bashCall } from "../support/events.ts";

it("the record of a run has the facts its handler reported", async () => {
  const hooks = createHooks();
  internals(hooks).register(
    "PreToolUse",
    { name: "guard" },
    {
      type: "command",
      run: (_event, { record }) => {
        record({ exit_code: 2 });
        record({ cached: true });
        return deny("no");
      },
    },
  );
  const { runs } = await hooks.fire(bashCall());
  expect(runs).toMatchObject([{ name: "guard", exit_code: 2, cached: true, outcome: { action: "deny" } }]);
});

it("a hook that timed out has ended what it started before the decision is returned", async () => {
  const hooks = createHooks();
  const ended: string[] = [];
  internals(hooks).register(
    "PreToolUse",
    { name: "slow", timeout: 0.01 },
    {
      type: "command",
      tidies: true,
      run: (_event, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () =>
            setTimeout(() => {
              ended.push("child");
              reject(new Error("ended"));
            }, 20),
          );
        }),
    },
  );
  const { action, runs } = await hooks.fire(bashCall());
  expect({ action, ended, kind: runs[0]?.failure?.kind }).toEqual({
    action: "deny",
    ended: ["child"],
    kind: "timeout",
  });
});

it("a handler ends its processes when its hook is removed and when the set is closed", async () => {
  const hooks = createHooks();
  const closed: string[] = [];
  const handler = (name: string) => ({ type: "mcp", run: () => undefined, close: () => closed.push(name) });
  const remove = internals(hooks).register("PreToolUse", { name: "first" }, handler("first"));
  internals(hooks).register("PreToolUse", { name: "second" }, handler("second"));
  remove();
  expect(closed).toEqual(["first"]);
  await hooks.close();
  expect(closed).toEqual(["first", "second"]);
});

it("the list shows why a hook will fail, the statistics show the state of its process", () => {
  const hooks = createHooks();
  internals(hooks).register(
    "PreToolUse",
    { name: "judge" },
    { type: "llm", problem: "There is no key.", health: () => "1 process", run: () => undefined },
  );
  expect(hooks.list()).toMatchObject([{ name: "judge", problem: "There is no key." }]);
  expect(hooks.stats()).toMatchObject([{ name: "judge", health: "1 process" }]);
});

it.each(["at once", "later"])(
  "what a failing handler refused %s counts, also where failures pass",
  async (when) => {
    const hooks = createHooks();
    const failure = new HookFailureError("bad_output", "half an answer", {
      refusals: [deny("not this"), allow("never"), rewrite({ command: "never" })],
    });
    internals(hooks).register(
      "PreToolUse",
      { name: "guard", on_failure: "open" },
      {
        type: "command",
        run: () => {
          if (when === "later") return Promise.reject(failure);
          throw failure;
        },
      },
    );
    const { action, reason, input, runs } = await hooks.fire(bashCall());
    expect({ action, reason, input, failure: runs[0]?.failure }).toEqual({
      action: "deny",
      reason: "not this",
      input: undefined,
      failure: { kind: "bad_output", message: "half an answer" },
    });
  },
);
