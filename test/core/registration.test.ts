import { createHooks, deny, type Hooks, isTenterhookError, keepGoing, TenterhookError } from "tenterhook";
import { createHooks as createPlainHooks, internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/core/registration/limits.ts";
import { bashCall } from "../support/events.ts";
import { thrown } from "../support/thrown.ts";

/** Registers with options the types would not let through. */
function on(
  hooks: Pick<Hooks, "on">,
  events: unknown,
  options: unknown,
  run: unknown = () => undefined,
): unknown {
  return Reflect.apply(hooks.on, hooks, [events, options, run]);
}

describe("registering", () => {
  it.each<[unknown, unknown, string, string]>([
    ["PreTolUse", {}, "unknown_event", 'There is no event "PreTolUse". Did you mean "PreToolUse"?'],
    ["pre_tool_use", {}, "unknown_event", 'There is no event "pre_tool_use". Did you mean "PreToolUse"?'],
    ["cluade:X", {}, "unknown_event", 'There is no event "cluade:X".'],
    [[], {}, "invalid_option", "A hook needs at least one event."],
    [
      "Stop",
      { name: "x", priorty: 1 },
      "unknown_option",
      'Hook "x" has the unknown key "priorty". Did you mean "priority"?',
    ],
    [
      "Stop",
      { name: "x", matcher: { tool: "Bash" } },
      "unknown_option",
      'Hook "x" has the unknown key "tool". Did you mean "tools"?',
    ],
    [
      "Stop",
      { name: "x", priority: "high" },
      "invalid_option",
      'Hook "x": priority is "high"; it must be a number.',
    ],
    [
      "Stop",
      { name: "x", timeout: 0 },
      "invalid_option",
      'Hook "x": timeout is 0; it must be a number of seconds above 0.',
    ],
    [
      "Stop",
      { name: "x", observe: "yes" },
      "invalid_option",
      'Hook "x": observe is "yes"; it must be true or false.',
    ],
    ["Stop", { name: " " }, "invalid_option", 'Hook " ": name is " "; it must be a non-empty string.'],
    [
      "Stop",
      { name: "x", on_failure: "shut" },
      "invalid_option",
      'Hook "x": on_failure is "shut"; it must be "closed", "open", "ask", or an object with one of them for each kind of failure.',
    ],
    [
      "Stop",
      { name: "x", on_failure: { timout: "open" } },
      "unknown_option",
      'Hook "x": on_failure has the unknown key "timout". Did you mean "timeout"?',
    ],
    [
      "Stop",
      { name: "x", tools: [] },
      "invalid_option",
      'Hook "x": tools is []; it must be a string or a list of strings, none of them empty.',
    ],
    [
      "Stop",
      { name: "x", tools: [7] },
      "invalid_option",
      'Hook "x": tools[0] is 7; it must be a non-empty string.',
    ],
    [
      "Stop",
      { name: "x", tools: "Bash", matcher: { tools: "Read" } },
      "invalid_option",
      'Hook "x" gives tools twice: inside matcher and outside it. Keep one of them.',
    ],
    [
      "Stop",
      { name: "x", session_types: "child" },
      "invalid_option",
      'Hook "x": session_types is "child"; it must be root, subagent or a list of them.',
    ],
    [
      "Stop",
      { name: "x", tools: "[ab" },
      "bad_pattern",
      'Hook "x": tools: The glob "[ab" has a "[" that no "]" closes; write "\\[" for the character itself.',
    ],
    [
      "Stop",
      { name: "x", path_patterns: "{a,b" },
      "bad_pattern",
      'Hook "x": path_patterns: The glob "{a,b" has a "{" that no "}" closes; write "\\{" for the character itself.',
    ],
    [
      "Stop",
      { name: "x", origin: { scope: "galaxy" } },
      "invalid_option",
      'Hook "x": origin.scope is "galaxy"; it must be one of managed, user, project, local, code.',
    ],
  ])("%j with %j is refused", (events, options, code, message) => {
    expect(thrown(() => on(createHooks(), events, options))).toEqual([code, message]);
  });

  it.each(["/(a+/", "/(?=a)b/", "/(a)\\1/"])(
    "a tool pattern %s that can't run in linear time is refused",
    (pattern) => {
      const [code, message] = Object(thrown(() => on(createHooks(), "Stop", { name: "x", tools: pattern })));
      expect([
        code,
        message.startsWith(
          `Hook "x": tools has the regular expression ${pattern}, which can't be compiled: `,
        ),
      ]).toEqual(["bad_pattern", true]);
    },
  );

  it("without a function is refused", () => {
    expect(thrown(() => on(createHooks(), "Stop", {}, "run"))).toEqual([
      "invalid_option",
      "hooks.on needs a function as its last argument.",
    ]);
  });

  it("a part that is missing is refused by name", () => {
    expect(thrown(() => on(createPlainHooks(), "Stop", { name: "x", tools: "/a/" }))).toEqual([
      "unsupported_matcher",
      'Hook "x": tools has the regular expression /a/, and this hook set was made without a regex engine.',
    ]);
    expect(thrown(() => on(createPlainHooks(), "Stop", { name: "x", when: "command exists" }))).toEqual([
      "unsupported_matcher",
      'Hook "x": when needs the rules, and this hook set was made without them.',
    ]);
  });

  it("the same name twice in a set is refused, and available again after removal", () => {
    const hooks = createHooks();
    const off = hooks.on("Stop", { name: "guard" }, () => undefined);
    expect(thrown(() => on(hooks, "Stop", { name: "guard" }))).toEqual([
      "duplicate_hook",
      'There are two hooks called "guard" in the scope code of this set.',
    ]);
    off();
    off();
    hooks.on("Stop", { name: "guard" }, () => undefined);
    expect(hooks.list().length).toBe(1);
  });

  it("the same name in two scopes is fine", () => {
    const hooks = createHooks();
    hooks.on("Stop", { name: "guard", origin: { scope: "user" } }, () => undefined);
    hooks.on("Stop", { name: "guard", origin: { scope: "project" } }, () => undefined);
    hooks.disable("guard");
    expect(hooks.list().map((hook) => [hook.origin.scope, hook.enabled])).toEqual([
      ["user", false],
      ["project", false],
    ]);
  });

  it("names the file and line a hook comes from", () => {
    const origin = { scope: "project", file: "/p/hooks.yaml", line: 7 };
    expect(thrown(() => on(createHooks(), "Stop", { name: "x", tools: "[a", origin }))).toEqual([
      "bad_pattern",
      'Hook "x" (/p/hooks.yaml:7): tools: The glob "[a" has a "[" that no "]" closes; write "\\[" for the character itself.',
    ]);
  });

  it.each([
    [undefined, {}, "A hook needs at least one event."],
    ["Stop", null, "The options of a hook must be an object."],
  ])("%j with %j is refused in words", (events, options, message) => {
    expect(thrown(() => on(createHooks(), events, options))).toEqual(["invalid_option", message]);
  });

  it("a handler that can't run is refused", () => {
    const set = internals(createHooks());
    const register = (): unknown => Reflect.apply(set.register, set, ["Stop", {}, { type: "x" }]);
    expect(thrown(register)).toEqual(["invalid_option", "A handler needs a type and a function run."]);
  });

  it("gives hooks without a name one of their own", () => {
    const hooks = createHooks();
    hooks.on("Stop", () => undefined);
    hooks.on(["PreToolUse", "Stop"], () => undefined);
    expect(hooks.list().map((hook) => hook.name)).toEqual(["Stop#1", "PreToolUse+Stop#2"]);
  });
});

describe("options of a hook set", () => {
  it.each([
    [{ limit: {} }, "unknown_option", 'createHooks has the unknown key "limit". Did you mean "limits"?'],
    [
      { limits: { stop_continuation: 3 } },
      "unknown_option",
      'limits has the unknown key "stop_continuation". Did you mean "stop_continuations"?',
    ],
    [
      { limits: { hook_turns: -1 } },
      "invalid_option",
      "limits: hook_turns is -1; it must be a number of 0 or more.",
    ],
    [{ timeout: 0 }, "invalid_option", "createHooks: timeout is 0; it must be a number of seconds above 0."],
  ])("%j are refused", (options, code, message) => {
    expect(thrown(() => Reflect.apply(createHooks, undefined, [options]))).toEqual([code, message]);
  });

  it("have the limits the specification names", () => {
    expect(DEFAULT_LIMITS).toMatchObject({
      stop_continuations: 8,
      hook_turns: 8,
      turn_seconds: 1800,
      turn_tokens: 2_000_000,
      context_characters: 10_000,
      event_context_characters: 30_000,
    });
  });

  it("give every hook its default timeout", () => {
    const hooks = createHooks({ timeout: 5 });
    hooks.on("Stop", () => undefined);
    hooks.on("Stop", { timeout: 7 }, () => undefined);
    expect(hooks.list().map((hook) => hook.timeout)).toEqual([5, 7]);
  });
});

describe("stats and list", () => {
  it("show what each hook is and has done", async () => {
    const hooks = createHooks();
    hooks.on(
      "PreToolUse",
      {
        name: "no",
        description: "says no",
        tools: "Bash",
        on_failure: "closed",
        origin: { scope: "user", file: "h.yaml", line: 3 },
      },
      () => deny(),
    );
    hooks.on("PreToolUse", { name: "broken", on_failure: "open" }, () => {
      throw new Error("x");
    });
    await hooks.fire(bashCall());
    await hooks.fire(bashCall("", { tool_name: "Read" }));
    const time = { total_ms: expect.any(Number), mean_ms: expect.any(Number), max_ms: expect.any(Number) };
    expect(hooks.stats()).toEqual([
      { name: "no", enabled: true, runs: 1, denials: 1, failures: 0, ...time },
      { name: "broken", enabled: true, runs: 2, denials: 0, failures: 2, ...time },
    ]);
    expect(hooks.list()[0]).toEqual({
      name: "no",
      description: "says no",
      events: ["PreToolUse"],
      matcher: { tools: "Bash" },
      handler: "function",
      priority: 100,
      timeout: 30,
      on_failure: "closed",
      observe: false,
      parallel: false,
      async: false,
      once: false,
      recheck: true,
      short_circuit: false,
      enabled: true,
      origin: { scope: "user", file: "h.yaml", line: 3 },
    });
  });
});

describe("errors", () => {
  it("carry a hint, also from another copy of the package", () => {
    const error = new TenterhookError("unknown_hook", "m");
    expect([error.hint, isTenterhookError(error), isTenterhookError(new Error("m"))]).toEqual([
      "hooks.list() shows the names.",
      true,
      false,
    ]);
    const foreign = Object.assign(new Error("m"), { [Symbol.for("tenterhook.error")]: true });
    expect(isTenterhookError(foreign)).toBe(true);
  });

  it("are thrown by invalid outcomes", () => {
    expect(thrown(() => keepGoing(" "))).toEqual([
      "invalid_outcome",
      "keepGoing needs a reason: it is what the agent reads next.",
    ]);
  });
});

describe("a timeout that looks like milliseconds", () => {
  it.each([1000, 30_000, 60_000, 180_000, 3_600_000])("%d is refused, with the seconds", (timeout) => {
    const message = `timeout is ${timeout} seconds, which look like milliseconds. Write ${timeout / 1000}.`;
    expect(() => createHooks({ timeout })).toThrow(`createHooks: ${message}`);
    const on = () => createHooks().on("Stop", { name: "slow", timeout }, () => undefined);
    expect(on).toThrow(`hooks.on (slow): ${message}`);
  });

  it.each([0.5, 30, 930, 990, 1800, 3600, 18_000, 86_400])("%d is a number of seconds", (timeout) => {
    expect(createHooks({ timeout }).on("Stop", { timeout }, () => undefined)).toBeTypeOf("function");
  });
});
