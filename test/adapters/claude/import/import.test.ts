import { createHooks } from "tenterhook";
import { internals } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { command, definitionsIn, differencesIn, importHooks, importOne } from "./support.ts";

const HOOKS = {
  PreToolUse: [
    {
      matcher: "Edit|Write",
      hooks: [{ type: "command", command: "python3 guard.py", timeout: 5, statusMessage: "Checking" }],
    },
    {
      matcher: "mcp__.*",
      hooks: [
        {
          type: "http",
          url: "http://127.0.0.1:9/x",
          headers: { A: "Bearer $KEY" },
          allowedEnvVars: ["KEY"],
          onFailure: "block",
        },
      ],
    },
    { hooks: [{ type: "command", command: "./push.sh", if: "Bash(git push:*)", asyncRewake: true }] },
    { hooks: [{ type: "command", command: "./x.sh", if: "Edit(src/**)" }] },
    { hooks: [{ type: "command", command: "tenterhook hook" }] },
  ],
  SessionStart: [
    { matcher: "startup|resume", hooks: [{ type: "command", command: "cat notes.md", once: true }] },
  ],
  Notification: [{ matcher: "idle_prompt", hooks: [{ type: "command", command: "beep", async: true }] }],
  Stop: [{ matcher: "Bash", hooks: [{ type: "prompt", prompt: "Done? $ARGUMENTS" }, { type: "wasm" }] }],
};

const OPEN = { on_failure: { default: "open", untrusted: "closed" }, parallel: true };
/** A gate sees what the model called, once, as in Claude Code. */
const GATE = { ...OPEN, recheck: false };

describe("hooks of Claude Code", () => {
  it("become definitions that run in parallel and fail open where they did, but not when they are untrusted", () => {
    expect(definitionsIn(importHooks(HOOKS))).toEqual([
      {
        name: "guard",
        description: "Checking",
        type: "command",
        matcher: { events: ["PreToolUse"], tools: ["Edit", "Write"] },
        command: "python3 guard.py",
        payload: "native",
        written_for: "claude",
        timeout: 5,
        ...GATE,
      },
      {
        name: "127-0-0-1",
        type: "http",
        matcher: { events: ["PreToolUse"], tools: ["mcp__*"] },
        url: "http://127.0.0.1:9/x",
        headers: { A: `Bearer $${"{KEY}"}` },
        env: ["KEY"],
        payload: "native",
        written_for: "claude",
        timeout: 600,
        on_failure: "closed",
        parallel: true,
        recheck: false,
      },
      {
        name: "push",
        type: "command",
        matcher: { events: ["PreToolUse"], tools: ["Bash"], command_patterns: ["git push", "git push *"] },
        command: "./push.sh",
        payload: "native",
        written_for: "claude",
        timeout: 600,
        ...GATE,
      },
      {
        name: "x",
        type: "command",
        matcher: { events: ["PreToolUse"], tools: ["Edit"], path_patterns: ["src/**"] },
        command: "./x.sh",
        payload: "native",
        written_for: "claude",
        timeout: 600,
        ...GATE,
      },
      {
        name: "cat",
        type: "command",
        matcher: { events: ["SessionStart"], sources: ["startup", "resume"] },
        command: "cat notes.md",
        payload: "native",
        written_for: "claude",
        timeout: 600,
        ...OPEN,
        once: true,
      },
      {
        name: "beep",
        type: "command",
        matcher: {
          events: ["Notification"],
          when: { field: "notification_type", operator: "in", value: ["idle_prompt"] },
        },
        command: "beep",
        payload: "native",
        written_for: "claude",
        timeout: 600,
        ...OPEN,
        async: true,
      },
      {
        name: "prompt",
        type: "llm",
        matcher: { events: ["Stop"] },
        model: "haiku",
        prompt: "Done? $ARGUMENTS",
        timeout: 30,
        ...OPEN,
      },
    ]);
  });

  it("are reported hook by hook: the hook, what it is about, and what differs", () => {
    const { hooks, notes } = importHooks(HOOKS);
    expect(
      hooks.map(({ name, about, path, differences }) => [name, about, path.join("."), ...differences]),
    ).toEqual([
      ["guard", "PreToolUse Edit|Write", "PreToolUse.0.hooks.0"],
      ["127-0-0-1", "PreToolUse mcp__.*", "PreToolUse.1.hooks.0"],
      [
        "push",
        "PreToolUse if Bash(git push:*)",
        "PreToolUse.2.hooks.0",
        "Its condition also holds for a command after sudo, timeout or sh -c, and an allow applies only when every command of the line fits.",
        "With a user at the screen it ran in the background and woke the agent when it refused; here the agent always waits for it, as it does with claude -p.",
      ],
      ["x", "PreToolUse if Edit(src/**)", "PreToolUse.3.hooks.0"],
      ["cat", "SessionStart startup|resume", "SessionStart.0.hooks.0"],
      [
        "beep",
        "Notification idle_prompt",
        "Notification.0.hooks.0",
        "What it says comes with the next event that Tenterhook is called for, not with the next request.",
      ],
      ["prompt", "Stop Bash", "Stop.0.hooks.0", 'Stop has no matcher there; "Bash" was left out.'],
      ["stop", "Stop Bash", "Stop.0.hooks.1", 'Handlers of the type "wasm" are unknown and were skipped.'],
    ]);
    expect(notes).toEqual([
      "If one of these hooks crashes, the call goes on, as in Claude Code; while it is not trusted, it is refused. For guards, set on_failure: closed.",
      "Rewrites of several hooks are merged. Claude Code keeps the one that comes last.",
      "A reply that refuses in a form Claude Code ignores is a failure here.",
      "Commands get no API keys and tokens except those that env names.",
      "Claude Code lets a Stop hook continue a turn as long as tools are called in between. Here the limit is 100 continuations: limits.stop_continuations in your own configuration.",
    ]);
  });

  it("can be registered", () => {
    const hooks = createHooks();
    for (const definition of definitionsIn(importHooks(HOOKS))) {
      const { events, ...matcher } = Object(definition.matcher);
      internals(hooks).register(
        events,
        { name: String(definition.name), matcher },
        { type: "test", run: () => undefined },
      );
    }
    expect(hooks.list()).toHaveLength(7);
  });
});

it.each([
  [
    "a condition for another tool",
    importOne("PreToolUse", "Write", command({ if: "Bash(git push:*)" })),
    'Its condition "Bash(git push:*)" never holds for a tool of its matcher "Write"; the hook was skipped.',
  ],
  [
    "a condition where there is no tool",
    importOne("Stop", undefined, command({ if: "Bash(ls)" })),
    "It has a condition, with which no hook runs on Stop there; the hook was skipped.",
  ],
  [
    "a type that every object has",
    importOne("Stop", undefined, { type: "constructor" }),
    'Handlers of the type "constructor" are unknown and were skipped.',
  ],
  [
    "a request that was never made",
    importOne("SessionStart", undefined, { type: "http", url: "http://127.0.0.1:9/" }),
    "Claude Code runs no http hook on SessionStart; the hook was skipped.",
  ],
  [
    "a question about a conversation where there is none",
    importOne("SubagentStart", undefined, { type: "prompt", prompt: "x" }),
    "Claude Code runs no prompt hook on SubagentStart; the hook was skipped.",
  ],
  [
    "a judge of permissions",
    importOne("PermissionRequest", undefined, { type: "agent", prompt: "x" }),
    "Claude Code runs no agent hook on PermissionRequest; the hook was skipped.",
  ],
  [
    "a handler that can't be loaded",
    importOne("Stop", undefined, command({ timeout: "10" })),
    "Its timeout must be a number above 0, or Claude Code does not load it; the hook was skipped.",
  ],
])("what never ran does not come in: %s", (_what, imported, difference) => {
  expect(definitionsIn(imported)).toEqual([]);
  expect(imported.hooks.map(({ differences }) => differences)).toEqual([[difference]]);
});

describe("the old format", () => {
  it.each([
    ["a handler without a group", { PreToolUse: [{ matcher: "Bash", command: "x" }] }],
    ["a handler with its type but without a group", { PreToolUse: [{ matcher: "Bash", ...command() }] }],
    ["a list of commands", { PreToolUse: [{ matcher: "Bash", hooks: ["x"] }] }],
    ["a handler without a type", { PreToolUse: [{ matcher: "Bash", hooks: [{ command: "x" }] }] }],
    ["commands by matcher", { PreToolUse: { Bash: "x" } }],
    ["a list of events", [{ event: "PreToolUse", matcher: "Bash", command: "x" }]],
  ])("comes in, and it is reported that Claude Code no longer runs it: %s", (_what, hooks) => {
    const imported = importHooks(hooks);
    expect(definitionsIn(imported)).toEqual([
      {
        name: "x",
        type: "command",
        matcher: { events: ["PreToolUse"], tools: ["Bash"] },
        command: "x",
        payload: "native",
        written_for: "claude",
        timeout: 600,
        ...GATE,
      },
    ]);
    expect(differencesIn(imported)).toEqual([
      "x: It is written in a form that Claude Code no longer loads: it did not run there, and does here.",
    ]);
  });

  it("has its unreadable parts named", () => {
    expect(importHooks({ Stop: {}, PreToolUse: [{ matcher: "Bash" }, 7] }).notes).toEqual([
      "hooks.Stop is no list and was skipped.",
      "hooks.PreToolUse.0 has no list of hooks and was skipped.",
      "hooks.PreToolUse.1 is no hook and was skipped.",
    ]);
  });
});

it.each([
  ["UserPromptSubmit", 30],
  ["SessionEnd", 1.5],
  ["PreToolUse", 600],
])("a hook on %s that does not say has as long as it had", (event, seconds) => {
  const imported = importOne(event, undefined, command());
  expect(definitionsIn(imported).map(({ timeout }) => timeout)).toEqual([seconds]);
});

describe("the same handler twice, which Claude Code runs once,", () => {
  const twice = (first: string | undefined, second: string | undefined) =>
    importHooks({
      PreToolUse: [
        { matcher: first, hooks: [command()] },
        { matcher: second, hooks: [command()] },
      ],
    });

  it.each([
    ["Bash", "Bash", { tools: ["Bash"] }],
    ["Bash|Edit", "Edit|Write", { tools: ["Bash", "Edit", "Write"] }],
    ["Bash", undefined, {}],
  ])("is one definition for the tools of both: %s and %s", (first, second, fields) => {
    const imported = twice(first, second);
    expect(definitionsIn(imported).map(({ matcher }) => matcher)).toEqual([
      { events: ["PreToolUse"], ...fields },
    ]);
    expect(imported.hooks.map(({ same_as }) => same_as)).toEqual([undefined, "x"]);
  });

  it("stays two, with a report, when their matchers can't be joined", () => {
    const imported = twice("Bash", "mcp__(a|b)__.*");
    expect(definitionsIn(imported)).toHaveLength(2);
    expect(differencesIn(imported)).toEqual([
      "x-2: It is the same as x: Claude Code runs them once when both match, Tenterhook runs both.",
    ]);
  });
});

it.each([
  [{}, ["prompt: A refusal ended the whole turn there; here it refuses the call."]],
  [{ continueOnBlock: true }, []],
])("a prompt hook with %j refuses a call, and it is reported when it did more", (settings, expected) => {
  const imported = importOne("PreToolUse", undefined, { type: "prompt", prompt: "x", ...settings });
  expect(differencesIn(imported)).toEqual(expected);
});

it.each([
  ["bash", ["bash", "-c", "[[ -e x ]]"]],
  ["powershell", ["pwsh", "-NoProfile", "-NonInteractive", "-Command", "[[ -e x ]]"]],
])("a line for the shell %s runs in it", (shell, line) => {
  const imported = importOne("Stop", undefined, command({ command: "[[ -e x ]]", shell }));
  expect(definitionsIn(imported)).toMatchObject([{ type: "command", command: line }]);
  expect(differencesIn(imported)).toEqual([]);
});
