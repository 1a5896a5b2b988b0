import { createHooks, deny, type EventInput, type HookOptions, rewrite } from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { bashCall, HERE } from "../support/events.ts";

describe("rewriting", () => {
  it("chains in order, each hook seeing what the one before left", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    for (const suffix of ["a", "b", "c"]) {
      hooks.on("PreToolUse", { recheck: false }, async (event) => {
        seen.push(event.tool_input.command);
        return rewrite((input) => ({ ...input, command: `${input.command} ${suffix}` }));
      });
    }
    const decision = await hooks.fire(bashCall("run"));
    expect(decision.input).toEqual({ command: "run a b c" });
    expect(seen).toEqual(["run", "run a", "run a b"]);
    expect(decision.runs.map((run) => [run.input_before, run.input_after])).toEqual([
      [{ command: "run" }, { command: "run a" }],
      [{ command: "run a" }, { command: "run a b" }],
      [{ command: "run a b" }, { command: "run a b c" }],
    ]);
  });

  it("replaces the whole input when given a value", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () => rewrite({ other: 1 }));
    expect((await hooks.fire(bashCall("ls", { tool_input: { command: "ls", timeout: 5 } }))).input).toEqual({
      other: 1,
    });
  });

  it.each<[EventInput, unknown, object]>([
    [
      { ...bashCall(), hook_event_name: "PermissionRequest" },
      { command: "pwd" },
      { input: { command: "pwd" } },
    ],
    [
      { ...bashCall(), hook_event_name: "PostToolUse", tool_response: "long" },
      { short: true },
      { output: { short: true } },
    ],
    [{ ...bashCall(), hook_event_name: "PostToolUseFailure", error: "E1" }, "clearer", { error: "clearer" }],
    [{ ...HERE, hook_event_name: "UserPromptSubmit", prompt: "hi" }, "hello", { prompt: "hello" }],
    [
      { ...HERE, hook_event_name: "PreModelRequest", request: { model: "a" } },
      { model: "b" },
      { request: { model: "b" } },
    ],
    [
      { ...HERE, hook_event_name: "PreGeneration", messages: [{ role: "user" }], system_prompt: "s" },
      { system_prompt: "t" },
      { system_prompt: "t", messages: [{ role: "user" }] },
    ],
    [
      { ...HERE, hook_event_name: "PreIteration", messages: [] },
      { messages: [{ n: 1 }] },
      { messages: [{ n: 1 }] },
    ],
  ])("of %j by %j", async (event, next, expected) => {
    const hooks = createHooks();
    internals(hooks).register(event.hook_event_name, {}, { type: "function", run: () => rewrite(next) });
    expect(await hooks.fire(event)).toMatchObject({ action: "continue", ...expected });
  });

  it("gives a rewrite of several parts to a function as one object", async () => {
    const hooks = createHooks();
    hooks.on("PreIteration", { recheck: false }, () =>
      rewrite(({ messages = [], system_prompt }) => ({
        messages: [...messages, { role: "user", content: "ping" }],
        system_prompt: `${system_prompt}!`,
      })),
    );
    const event = {
      ...HERE,
      hook_event_name: "PreIteration",
      messages: [{ role: "user" }],
      system_prompt: "be brief",
    } as const;
    expect(await hooks.fire(event)).toMatchObject({
      messages: [{ role: "user" }, { role: "user", content: "ping" }],
      system_prompt: "be brief!",
    });
  });

  it.each<[string, unknown, string]>([
    ["a function in it", { run: () => 1 }, "it holds a function, which is not plain JSON data"],
    ["a circle", circular(), "it holds a circle, which is not plain JSON data"],
    ["a date", { at: new Date(0) }, "it holds an object of class Date, which is not plain JSON data"],
    [
      "a number JSON has no word for",
      { n: Number.NaN },
      "it holds the number NaN, which is not plain JSON data",
    ],
    ["a bigint", { n: 5n }, "it holds the bigint 5, which is not plain JSON data"],
    ["a text where an object was", "ls", "its rewrite must be an object"],
    ["a list where an object was", ["ls"], "its rewrite must be an object"],
  ])("with %s is a failure and the input stays", async (_what, next, message) => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { on_failure: "open" }, () => rewrite(next as never));
    const decision = await hooks.fire(bashCall());
    expect(decision.input).toBeUndefined();
    expect(decision.runs[0]?.failure?.kind).toBe("bad_output");
    expect(decision.runs[0]?.failure?.message).toContain(message);
  });

  it.each<[EventInput, unknown, string]>([
    [
      { ...HERE, hook_event_name: "PreIteration", messages: [] },
      { system_prompt: 42 },
      "system_prompt of its rewrite must be a string",
    ],
    [
      { ...HERE, hook_event_name: "PreIteration" },
      { messages: {} },
      "messages of its rewrite must be a list",
    ],
    [
      { ...HERE, hook_event_name: "PreGeneration" },
      { mesages: [] },
      'its rewrite has the unknown field "mesages"; it may have messages and system_prompt',
    ],
    [{ ...bashCall(), hook_event_name: "PostToolUseFailure" }, { a: 1 }, "its rewrite must be a string"],
    [{ ...HERE, hook_event_name: "PreModelRequest" }, "x", "its rewrite must be an object"],
  ])("of %j by %j is of the wrong kind", async (event, next, message) => {
    const hooks = createHooks();
    internals(hooks).register(event.hook_event_name, {}, { type: "function", run: () => rewrite(next) });
    const [run] = (await hooks.fire(event)).runs;
    expect(run?.failure).toEqual({ kind: "bad_output", message });
  });

  it("by a function that throws is a failure that closes the gate", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", () =>
      rewrite(() => {
        throw new Error("oops");
      }),
    );
    expect(await hooks.fire(bashCall())).toMatchObject({
      action: "deny",
      runs: [{ failure: { kind: "error", message: "its rewrite function threw: oops" } }],
    });
  });

  it("keeps an own key called __proto__ a plain key", async () => {
    const hooks = createHooks();
    const tool_input: Record<string, unknown> = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}');
    hooks.on("PreToolUse", (event) => {
      if (Reflect.get(event.tool_input, "polluted") === true) return deny("polluted");
      return rewrite(JSON.parse('{"__proto__": {"polluted": true}, "a": 2}'));
    });
    const decision = await hooks.fire(bashCall("", { tool_input }));
    expect(decision.action).toBe("continue");
    expect(JSON.stringify(decision.input)).toBe('{"__proto__":{"polluted":true},"a":2}');
  });
});

describe("parallel hooks", () => {
  const together: HookOptions = { parallel: true, recheck: false };

  it("run together on the same input", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    let release = (): void => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    hooks.on("PreToolUse", together, async (event) => {
      seen.push(event.tool_input);
      await both;
      return rewrite((input) => ({ ...input, a: 1 }));
    });
    hooks.on("PreToolUse", together, (event) => {
      seen.push(event.tool_input);
      release();
      return rewrite((input) => ({ ...input, b: 2 }));
    });
    hooks.on("PreToolUse", { recheck: false }, (event) => {
      seen.push(event.tool_input);
    });
    const decision = await hooks.fire(bashCall());
    expect(decision.input).toEqual({ command: "ls", a: 1, b: 2 });
    expect(seen).toEqual([{ command: "ls" }, { command: "ls" }, { command: "ls", a: 1, b: 2 }]);
  });

  it("that change the same field in two ways conflict: the earlier stays, the later fails closed", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { ...together, name: "slow" }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return rewrite({ command: "first" });
    });
    hooks.on("PreToolUse", { ...together, name: "quick" }, () => rewrite({ command: "second" }));
    expect(await hooks.fire(bashCall())).toMatchObject({
      action: "deny",
      input: { command: "first" },
      runs: [
        { name: "slow", input_after: { command: "first" } },
        {
          name: "quick",
          failure: {
            kind: "conflict",
            message: "It changed command differently than another parallel hook.",
          },
        },
      ],
    });
  });

  it("that change the same field in the same way, or remove it, agree", async () => {
    const hooks = createHooks();
    for (let count = 0; count < 2; count += 1)
      hooks.on("PreToolUse", together, () => rewrite({ command: "same", list: [1, { x: 2 }] }));
    const input = { command: "ls", timeout: 5, list: [] };
    const decision = await hooks.fire(bashCall("ls", { tool_input: input }));
    expect(decision).toMatchObject({ action: "continue" });
    expect(decision.input).toEqual({ command: "same", list: [1, { x: 2 }] });
  });

  it("that rewrite a prompt in two ways conflict as a whole", async () => {
    const hooks = createHooks();
    for (const text of ["a", "b"]) hooks.on("UserPromptSubmit", together, () => rewrite(text));
    const decision = await hooks.fire({ ...HERE, hook_event_name: "UserPromptSubmit", prompt: "p" });
    expect(decision).toMatchObject({ action: "deny", prompt: "a" });
    expect(decision.runs[1]?.failure?.kind).toBe("conflict");
  });

  it.each([
    ["the fields", ["fields", "whole"], { shown: "***", kept: 1 }],
    ["the whole", ["whole", "fields"], "in other words"],
  ] as const)(
    "that rewrite a result, one its fields and one the whole, conflict: %s stay",
    async (_, order, output) => {
      const hooks = createHooks();
      const rewrites = { fields: { shown: "***", kept: 1 }, whole: "in other words" };
      for (const name of order) hooks.on("PostToolUse", { ...together, name }, () => rewrite(rewrites[name]));
      const tool_response = { shown: "secret", kept: 1 };
      const decision = await hooks.fire({ ...bashCall(), hook_event_name: "PostToolUse", tool_response });
      expect([decision.output, decision.runs.map(({ name, failure }) => [name, failure?.kind])]).toEqual([
        output,
        [
          [order[0], undefined],
          [order[1], "conflict"],
        ],
      ]);
    },
  );

  it("in conflict keep what they refuse", async () => {
    const hooks = createHooks();
    hooks.on("PreToolUse", { ...together, on_failure: "open" }, () => rewrite({ command: "a" }));
    hooks.on("PreToolUse", { ...together, on_failure: "open" }, () => [
      rewrite({ command: "b" }),
      deny("no"),
    ]);
    expect(await hooks.fire(bashCall())).toMatchObject({ action: "deny", reason: "no" });
  });
});

function circular(): unknown {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}
