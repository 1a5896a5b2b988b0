import { type Decision, deny } from "tenterhook";
import { describe, expect, it } from "vitest";
import { reply } from "./reply.ts";

const context = [
  { text: "Tests live in test/.", hook: "h", role: "user", lifetime: "turn", recorded: true },
] as const;

describe("what Claude Code reads", () => {
  it.each<[string, string, Partial<Decision>, unknown]>([
    [
      "a deny of a call",
      "PreToolUse",
      { action: "deny", reason: deny("Not here.").reason ?? "" },
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "Not here.",
        },
      },
    ],
    [
      "a rewrite with context and no verdict",
      "PreToolUse",
      { input: { command: "ls -l" }, context },
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          updatedInput: { command: "ls -l" },
          additionalContext: "Tests live in test/.",
        },
      },
    ],
    [
      "a permission that is granted with another input",
      "PermissionRequest",
      { action: "allow", input: { command: "ls" } },
      {
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: { behavior: "allow", updatedInput: { command: "ls" } },
        },
      },
    ],
    [
      "a refusal that has no place for its reason: the user reads it",
      "Elicitation",
      { action: "deny", reason: "No forms." },
      {
        systemMessage: "No forms.",
        hookSpecificOutput: { hookEventName: "Elicitation", action: "decline" },
      },
    ],
    [
      "a permission that is refused together with the run",
      "PermissionRequest",
      { action: "deny", reason: "No.", abort: { reason: "Enough." } },
      {
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: { behavior: "deny", message: "No.", interrupt: true },
        },
      },
    ],
    [
      "a prompt that is blocked",
      "UserPromptSubmit",
      { action: "deny", reason: "No secrets, please." },
      { decision: "block", reason: "No secrets, please." },
    ],
    [
      "an agent that must go on",
      "Stop",
      { keep_going: { reason: "The tests fail." } },
      { decision: "block", reason: "The tests fail." },
    ],
    [
      "a call that is refused together with the run",
      "PreToolUse",
      { action: "deny", reason: "No.", abort: { reason: "Enough." } },
      {
        continue: false,
        stopReason: "Enough.",
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "No.",
        },
      },
    ],
    ["the path of a worktree", "WorktreeCreate", { answer: "/trees/one" }, "/trees/one"],
    [
      "a model that may not be used",
      "PreModelSwitch",
      { action: "deny", reason: "Too expensive." },
      {
        hookSpecificOutput: {
          hookEventName: "PreModelSwitch",
          permissionDecision: "deny",
          permissionDecisionReason: "Too expensive.",
        },
      },
    ],
    ["the end of the run without a reason", "PreToolUse", { abort: {} }, { continue: false }],
    [
      "a prompt that is blocked without a reason",
      "UserPromptSubmit",
      { action: "deny" },
      { decision: "block" },
    ],
    [
      "what only it understands",
      "SessionStart",
      {
        context,
        native: {
          terminalSequence: "\u001b]0;t\u0007",
          hookSpecificOutput: {
            sessionTitle: "t",
            watchPaths: ["/a"],
            initialUserMessage: "Go.",
            reloadSkills: true,
          },
        },
      },
      {
        terminalSequence: "\u001b]0;t\u0007",
        hookSpecificOutput: {
          hookEventName: "SessionStart",
          additionalContext: "Tests live in test/.",
          sessionTitle: "t",
          watchPaths: ["/a"],
          initialUserMessage: "Go.",
          reloadSkills: true,
        },
      },
    ],
    [
      "a denied call that is to be tried again",
      "PermissionDenied",
      { native: { hookSpecificOutput: { retry: true } } },
      { hookSpecificOutput: { hookEventName: "PermissionDenied", retry: true } },
    ],
    [
      "paths to watch when a file has changed",
      "FileChanged",
      { native: { hookSpecificOutput: { watchPaths: ["/a"] } } },
      { hookSpecificOutput: { hookEventName: "FileChanged", watchPaths: ["/a"] } },
    ],
    [
      "a call that is deferred",
      "PreToolUse",
      { action: "ask", reason: "Later.", native: { hookSpecificOutput: { permissionDecision: "defer" } } },
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "defer",
          permissionDecisionReason: "Later.",
        },
      },
    ],
    [
      "a permission that is granted for later calls too",
      "PermissionRequest",
      {
        action: "allow",
        native: { hookSpecificOutput: { decision: { updatedPermissions: [{ type: "addRules" }] } } },
      },
      {
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: { behavior: "allow", updatedPermissions: [{ type: "addRules" }] },
        },
      },
    ],
    ["instructions for a compaction", "PreCompact", { context }, "Tests live in test/."],
  ])("%s", (_what, event, decision, output) => {
    expect(reply(event, decision)).toEqual({ output, stderr: "", exit_code: 0, losses: [] });
  });

  it("what only it understands changes no decision", () => {
    const own = { permissionDecision: "allow", updatedInput: {}, decision: { updatedPermissions: [{}] } };
    const native = { continue: true, decision: "approve", hookSpecificOutput: own };
    expect(reply("PreToolUse", { native }).output).toBe("");
    expect(reply("PreToolUse", { native, action: "deny" }).output).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
    });
    const deferred = { hookSpecificOutput: { permissionDecision: "defer" } };
    expect(reply("PreToolUse", { native: deferred, action: "deny" }).output).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
    });
    expect(reply("PermissionRequest", { native, action: "deny" }).output).toEqual({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny" } },
    });
  });

  it("another result of a tool, in the shape of the old one, and a word to the user", () => {
    const user_messages = [{ text: "Redacted.", level: "info", hook: "h" }] as const;
    const tool_response = { stdout: "secret", stderr: "secret", interrupted: false };
    expect(reply("PostToolUse", { output: "nothing", user_messages }, {}, { tool_response })).toEqual({
      output: {
        systemMessage: "Redacted.",
        hookSpecificOutput: {
          hookEventName: "PostToolUse",
          updatedToolOutput: { stdout: "nothing", stderr: "", interrupted: false },
        },
      },
      stderr: "",
      exit_code: 0,
      losses: [],
    });
  });

  it("a worktree that is refused, or that a hook failed for, as a failure without any output", () => {
    const user_messages = [{ text: "The hook failed.", level: "error", hook: "h" }] as const;
    const failure = { output: "", exit_code: 2, losses: [] };
    expect(reply("WorktreeCreate", { action: "deny", reason: "No more trees.", user_messages })).toEqual({
      ...failure,
      stderr: "No more trees.\nThe hook failed.",
    });
    expect(reply("WorktreeCreate", { user_messages })).toEqual({ ...failure, stderr: "The hook failed." });
  });
});
