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
      "claude-pre-tool-use-3: asyncRewake has no counterpart and was left out.",
      'claude-pre-tool-use-4: its condition "Edit(src/**)" can\'t be said with a matcher; the hook was left out.',
      'claude-stop-1: Stop has no matcher there; "Bash" was left out.',
      'claude-stop-2: handlers of the type "wasm" are not known and were left out.',
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
    report: ["disableAllHooks is true there: none of these hooks ran. They do now."],
  });
});
