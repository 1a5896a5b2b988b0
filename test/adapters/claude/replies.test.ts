import { type Decision, deny } from "tenterhook";
import { describe, expect, it } from "vitest";
import { claude } from "../../../src/adapters/claude/claude.ts";

const NOTHING: Decision = { action: "continue", context: [], user_messages: [], hook_inputs: [], runs: [] };

/** The reply to a decision about an event of this name, as data. */
function reply(hook_event_name: string, decision: Partial<Decision>, degrade = {}, fields = {}) {
  const event = claude.decode({ hook_event_name, session_id: "s1", cwd: "/project", ...fields });
  const { stdout, ...rest } = claude.encode({ ...NOTHING, ...decision }, event, degrade);
  const said: unknown = stdout.startsWith("{") ? JSON.parse(stdout) : stdout;
  return { said, ...rest };
}

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
      "a refusal that has no place for its reason: the user is told it",
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
  ])("%s", (_what, event, decision, said) => {
    expect(reply(event, decision)).toEqual({ said, stderr: "", exit_code: 0, losses: [] });
  });

  it("what only it understands changes no decision", () => {
    const own = { permissionDecision: "allow", updatedInput: {}, decision: { updatedPermissions: [{}] } };
    const native = { continue: true, decision: "approve", hookSpecificOutput: own };
    expect(reply("PreToolUse", { native }).said).toBe("");
    expect(reply("PreToolUse", { native, action: "deny" }).said).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
    });
    const deferred = { hookSpecificOutput: { permissionDecision: "defer" } };
    expect(reply("PreToolUse", { native: deferred, action: "deny" }).said).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
    });
    expect(reply("PermissionRequest", { native, action: "deny" }).said).toEqual({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny" } },
    });
  });

  it("another result of a tool, in the shape of the old one, and a word to the user", () => {
    const user_messages = [{ text: "Redacted.", level: "info", hook: "h" }] as const;
    const tool_response = { stdout: "secret", stderr: "secret", interrupted: false };
    expect(reply("PostToolUse", { output: "nothing", user_messages }, {}, { tool_response })).toEqual({
      said: {
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
    const failure = { said: "", exit_code: 2, losses: [] };
    expect(reply("WorktreeCreate", { action: "deny", reason: "No more trees.", user_messages })).toEqual({
      ...failure,
      stderr: "No more trees.\nThe hook failed.",
    });
    expect(reply("WorktreeCreate", { user_messages })).toEqual({ ...failure, stderr: "The hook failed." });
  });
});

describe("what Claude Code does not support", () => {
  it("a rewritten prompt is refused, since the old one would go through", () => {
    const { said, losses } = reply("UserPromptSubmit", { prompt: "another" });
    expect(losses).toMatchObject([{ effect: "rewrite", became: "deny" }]);
    expect(said).toMatchObject({
      decision: "block",
      reason: "Claude Code does not support rewrite on UserPromptSubmit. It is refused instead.",
    });
  });

  it("a rewritten prompt goes on as it was where the configuration says observe, and the user is told", () => {
    const { said, losses } = reply("UserPromptSubmit", { prompt: "another" }, { rewrite: "observe" });
    expect(losses).toMatchObject([{ effect: "rewrite", became: "observe" }]);
    expect(said).toEqual({
      systemMessage: "Claude Code does not support rewrite on UserPromptSubmit. It continues without it.",
    });
  });

  it("a subagent that is refused starts all the same, and the user is told so", () => {
    const { said, losses } = reply("SubagentStart", { action: "deny", reason: "No children." });
    expect(losses).toMatchObject([{ effect: "deny", became: "observe" }]);
    expect(said).toEqual({
      systemMessage:
        "No children.\nClaude Code does not support deny on SubagentStart. It continues anyway: nothing can stop it there.",
    });
  });

  it.each(["SessionStart", "PostToolUseFailure", "SubagentStop", "Notification"])(
    "the end of the run on %s, and the user is told so",
    (event) => {
      const { said, losses } = reply(event, { abort: { reason: "Enough." } });
      expect(losses).toMatchObject([{ effect: "abort", became: "observe" }]);
      expect(said).toEqual({
        systemMessage: `Enough.\nClaude Code does not support abort on ${event}. The run goes on.`,
      });
    },
  );

  it("another result in a shape that is not the tool's: the run ends before the model reads the old one", () => {
    const tool_response = { filenames: ["secret"], numFiles: 1 };
    const { said, losses } = reply("PostToolUse", { output: "nothing" }, {}, { tool_response });
    const told =
      "Claude Code takes a rewrite of a result only in the shape that the tool gave it. The run ends instead.";
    expect(losses).toEqual([{ effect: "rewrite", became: "deny", message: told }]);
    expect(said).toEqual({
      decision: "block",
      reason: told,
      continue: false,
      stopReason: told,
      systemMessage: told,
    });
  });

  it("another result in a shape that is not the tool's, where the configuration says observe", () => {
    const { said, losses } = reply("PostToolUse", { output: 7 }, { rewrite: "observe" });
    expect(losses).toMatchObject([{ effect: "rewrite", became: "observe" }]);
    expect(said).toEqual({ systemMessage: expect.stringContaining("It continues without it.") });
  });

  it("the end of the run on an event it did not have yet: it is refused by exit code 2", () => {
    expect(reply("PreFoo", { action: "deny", reason: "No.", abort: {} })).toMatchObject({
      said: "",
      exit_code: 2,
      stderr: expect.stringContaining("No."),
    });
  });

  it("another input of a permission that nobody granted is refused", () => {
    expect(reply("PermissionRequest", { input: { command: "ls" } }).said).toMatchObject({
      hookSpecificOutput: { decision: { behavior: "deny" } },
    });
  });
});

describe("an event of Claude Code", () => {
  it("that only it has carries its name", () => {
    const event = claude.decode({
      hook_event_name: "ConfigChange",
      session_id: "s1",
      cwd: "/p",
      source: "user",
    });
    expect(event).toMatchObject({ hook_event_name: "claude:ConfigChange", source: "user", host: "claude" });
  });

  it("of a subagent names its parent and its turn", () => {
    const event = claude.decode({
      hook_event_name: "PreToolUse",
      session_id: "s1",
      cwd: "/p",
      agent_id: "a1",
      agent_type: "explore",
      prompt_id: "t1",
      tool_name: "Bash",
      tool_input: {},
    });
    expect(event).toMatchObject({
      agent_id: "a1",
      parent_agent_id: "s1",
      turn_id: "t1",
      agent_type: "explore",
    });
  });
});

describe("an ask in the mode bypassPermissions", () => {
  const asked = (tool_name: string, tool_input: object, permission_mode = "bypassPermissions") => {
    const fields = { tool_name, tool_input, permission_mode };
    const { said, losses } = reply("PreToolUse", { action: "ask", reason: "Sure?" }, {}, fields);
    return [JSON.stringify(said).match(/permissionDecision":"(\w+)/)?.[1], losses.length];
  };

  it.each<[string, object]>([
    ["Bash", { command: "echo {} > .claude/settings.json" }],
    ["Bash", { command: 'd=claude; echo > ".$d/x"' }],
    ["Bash", { command: "echo {} > .''claude/settings.json" }],
    ["Bash", { command: 'echo {} > "."claude/settings.json' }],
    ["Bash", { command: "echo {} > .\\claude/settings.json" }],
    ["Write", { file_path: "/home/u/.bashrc", content: "" }],
  ])("is a refusal where Claude Code would ignore it: %s %j", (tool, input) => {
    expect(asked(tool, input)).toEqual(["deny", 1]);
    expect(asked(tool, input, "default")).toEqual(["ask", 0]);
  });

  it.each([
    ["/p/.claude/hooks", "deny"],
    ["/p/.claude/worktrees/x", "ask"],
    ["/home/u/.cache/p", "ask"],
  ])("depends on the folder where names of files are short: %s", (cwd, answer) => {
    const call = { tool_name: "Bash", tool_input: { command: "rm guard.sh" }, cwd };
    const fields = { ...call, permission_mode: "bypassPermissions" };
    const { said } = reply("PreToolUse", { action: "ask", reason: "Sure?" }, {}, fields);
    expect(JSON.stringify(said)).toContain(`"permissionDecision":"${answer}"`);
  });

  it.each([
    "git push",
    "git add .\ngit push",
    "git add '.' && git push",
    "cd .. && ls ./src",
    "node a.mjs --n=.5",
    "rm -rf build",
  ])("stays an ask: %s", (command) => {
    expect(asked("Bash", { command })).toEqual(["ask", 0]);
  });
});
