import { createHooks } from "tenterhook";
import { expect, it } from "vitest";
import { importClaude } from "../../../src/adapters/claude/import.ts";

const SETTINGS = JSON.stringify({
  hooks: {
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
  },
});

it("hooks of Claude Code come in with their meaning, failing open where they did, and every loss is told", () => {
  expect(importClaude(SETTINGS)).toEqual({
    definitions: [
      {
        name: "claude-pre-tool-use-1",
        description: "Checking",
        type: "command",
        matcher: { events: ["PreToolUse"], tools: ["Edit", "Write"] },
        command: "python3 guard.py",
        timeout: 5,
        on_failure: "open",
      },
      {
        name: "claude-pre-tool-use-2",
        type: "http",
        matcher: { events: ["PreToolUse"], tools: "/mcp__.*/" },
        url: "http://127.0.0.1:9/x",
        headers: { A: `Bearer $${"{KEY}"}` },
        env: ["KEY"],
        timeout: 600,
        on_failure: "closed",
      },
      {
        name: "claude-pre-tool-use-3",
        type: "command",
        matcher: { events: ["PreToolUse"], tools: ["Bash"], command_patterns: ["git push*"] },
        command: "./push.sh",
        timeout: 600,
        on_failure: "open",
      },
      {
        name: "claude-session-start-1",
        type: "command",
        matcher: { events: ["SessionStart"], sources: ["startup", "resume"] },
        command: "cat notes.md",
        timeout: 600,
        on_failure: "open",
        once: true,
      },
      {
        name: "claude-notification-1",
        type: "command",
        matcher: {
          events: ["Notification"],
          when: { field: "notification_type", operator: "in", value: ["idle_prompt"] },
        },
        command: "beep",
        timeout: 600,
        on_failure: "open",
        async: true,
      },
      {
        name: "claude-stop-1",
        type: "llm",
        matcher: { events: ["Stop"] },
        prompt: "Done? $ARGUMENTS",
        timeout: 30,
        on_failure: "open",
      },
    ],
    report: [
      "claude-pre-tool-use-3: it ran beside the agent there and woke it to refuse; here the agent waits for it.",
      'claude-pre-tool-use-4: its condition "Edit(src/**)" can\'t be said with a matcher; the hook was skipped.',
      "claude-notification-1: what it said came with a later request there; here it is only written down.",
      'claude-stop-1: Stop has no matcher there; "Bash" was left out.',
      'claude-stop-2: handlers of the type "wasm" are unknown and were skipped.',
      "Claude Code continues when a hook fails, and so do hooks with on_failure: open. Set on_failure: closed on hooks that guard something.",
      "Commands start in the project's folder (those of the user's configuration in the folder of that), wherever the agent works, and get no API keys and tokens but those that env names.",
    ],
  });
});

it("what comes in can be registered", () => {
  const hooks = createHooks();
  for (const definition of importClaude(SETTINGS).definitions) {
    const { events, ...matcher } = Object(definition.matcher);
    hooks.register(
      events,
      { name: String(definition.name), matcher },
      { type: "test", run: () => undefined },
    );
  }
  expect(hooks.list()).toHaveLength(6);
});

it("hooks that were all switched off are told of", () => {
  expect(importClaude('{"disableAllHooks": true}')).toEqual({
    definitions: [],
    report: ["disableAllHooks is true there: none of these hooks ran there. Here they will."],
  });
});

it("hooks of a file that was never read are told of", () => {
  expect(importClaude("{\n} // mine")).toEqual({
    definitions: [],
    report: [
      "Claude Code reads strict JSON only, and line 2 holds a comment: none of these hooks ran there. Here they will.",
    ],
  });
});

const command = (settings: object = {}) => ({
  type: "command",
  command: "x",
  onFailure: "block",
  ...settings,
});
const imported = (event: string, matcher: string | undefined, handler: object = command()) =>
  importClaude(JSON.stringify({ hooks: { [event]: [{ matcher, hooks: [handler] }] } }));

it.each([
  [
    "a tool that Claude Code does not have",
    imported("PreToolUse", "bash"),
    [
      "claude-pre-tool-use-1: Claude Code has no tool bash, so that it never ran for it.",
      'claude-pre-tool-use-1: its matcher "bash" fits no tool there; the hook was skipped.',
    ],
  ],
  [
    "a condition for another tool",
    imported("PreToolUse", "Write", command({ if: "Bash(git push:*)" })),
    [
      'claude-pre-tool-use-1: its condition "Bash(git push:*)" never holds for a tool of its matcher "Write"; the hook was skipped.',
    ],
  ],
  [
    "a condition where there is no tool",
    imported("Stop", undefined, command({ if: "Bash(ls)" })),
    ["claude-stop-1: it has a condition, with which no hook runs on Stop there; the hook was skipped."],
  ],
  [
    "files to be watched",
    imported("FileChanged", ".envrc|.env"),
    [
      'claude-file-changed-1: Claude Code watches the files that its matcher ".envrc|.env" names, and install names none; the hook was skipped.',
    ],
  ],
  [
    "a type that every object has",
    imported("Stop", undefined, { type: "constructor" }),
    ['claude-stop-1: handlers of the type "constructor" are unknown and were skipped.'],
  ],
  [
    "a request that was never made",
    imported("SessionStart", undefined, { type: "http", url: "http://127.0.0.1:9/" }),
    ["claude-session-start-1: Claude Code runs no http hook on SessionStart; the hook was skipped."],
  ],
  [
    "a question about a conversation where there is none",
    imported("SubagentStart", undefined, { type: "prompt", prompt: "x" }),
    ["claude-subagent-start-1: Claude Code runs no prompt hook on SubagentStart; the hook was skipped."],
  ],
  [
    "a judge of permissions",
    imported("PermissionRequest", undefined, { type: "agent", prompt: "x" }),
    [
      "claude-permission-request-1: Claude Code runs no agent hook on PermissionRequest; the hook was skipped.",
    ],
  ],
  [
    "a server without its tools",
    imported("PreToolUse", "mcp__github"),
    [
      "claude-pre-tool-use-1: Claude Code has no tool mcp__github, so that it never ran for it.",
      'claude-pre-tool-use-1: its matcher "mcp__github" fits no tool there; the hook was skipped.',
    ],
  ],
  [
    "a handler that can't be loaded",
    imported("Stop", undefined, command({ timeout: "10" })),
    [
      "claude-stop-1: its timeout must be a number above 0, or Claude Code does not load it; the hook was skipped.",
    ],
  ],
  [
    "no list of groups",
    importClaude('{"hooks": {"Stop": {}}}'),
    ["hooks.Stop is no list, which Claude Code does not load; it was skipped."],
  ],
  [
    "a handler without a group",
    importClaude('{"hooks": {"Stop": [{"type": "command", "command": "x"}]}}'),
    ["hooks.Stop.0 has no list of hooks, which Claude Code does not load; it was skipped."],
  ],
])("what never ran does not come in: %s", (_what, { definitions, report }, told) => {
  expect(definitions).toEqual([]);
  expect(report).toEqual(told);
});

it.each([
  ["Bash|bash", { tools: ["Bash"] }, "Claude Code has no tool bash, so that it never ran for it."],
  [
    "wri.*",
    { tools: "/wri.*/" },
    "here its matcher fits Write, TodoWrite too, by the names of other agents for the same tool.",
  ],
])("tools of %s are told that come in otherwise", (matcher, fields, told) => {
  const { definitions, report } = imported("PreToolUse", matcher);
  expect(definitions.map((one) => one.matcher)).toEqual([{ events: ["PreToolUse"], ...fields }]);
  expect(report).toContain(`claude-pre-tool-use-1: ${told}`);
});

it.each([
  ["Bash|Write", { tools: ["Bash"], command_patterns: ["ls"] }],
  ["Ba.*", { tools: ["Bash"], command_patterns: ["ls"] }],
])("a condition narrows the matcher %s", (matcher, fields) => {
  const { definitions } = imported("PreToolUse", matcher, command({ if: "Bash(ls)" }));
  expect(definitions.map((one) => one.matcher)).toEqual([{ events: ["PreToolUse"], ...fields }]);
});

it.each([
  ["UserPromptSubmit", 30],
  ["SessionEnd", 1.5],
  ["PreToolUse", 600],
])("a hook on %s that does not say has as long as it had", (event, seconds) => {
  expect(imported(event, undefined).definitions.map(({ timeout }) => timeout)).toEqual([seconds]);
});

it("what only a plugin has, unknown events and equal handlers are told", () => {
  const hooks = [{ hooks: [command({ command: "$CLAUDE_PLUGIN_ROOT/x" })] }];
  const { report } = importClaude(JSON.stringify({ hooks: { Nonsense: [...hooks, ...hooks] } }));
  expect(report.slice(0, 3)).toEqual([
    "claude-nonsense-1: Nonsense is not a known event of Claude Code, which ignores unknown events.",
    "claude-nonsense-1: CLAUDE_PLUGIN_ROOT and its like are set for hooks of a plugin only, and will be empty.",
    "claude-nonsense-2: Nonsense is not a known event of Claude Code, which ignores unknown events.",
  ]);
  expect(report).toContain(
    "claude-nonsense-2: the same handler is configured twice; Claude Code runs it once when both match, Tenterhook runs both.",
  );
});

it.each([
  [{}, ["claude-pre-tool-use-1: a refusal ended the whole turn there; here it refuses the call."]],
  [{ continueOnBlock: true }, []],
])("a prompt hook with %j refuses a call, and it is told when it did more", (settings, told) => {
  const { report } = imported("PreToolUse", undefined, { type: "prompt", prompt: "x", ...settings });
  expect(report.slice(0, -1)).toEqual(told);
});
