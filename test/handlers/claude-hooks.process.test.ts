import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHooks, type Decision, type EventInput, type EventName } from "tenterhook";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chosen } from "../support/long.ts";
import { needs } from "../support/needs.ts";

const scripts = fileURLToPath(new URL("../fixtures/claude-hooks", import.meta.url));
const project = join(mkdtempSync(join(tmpdir(), "tenterhook-claude-")), "shop");
const hooksFolder = join(project, ".claude/hooks");

beforeAll(() => {
  cpSync(scripts, hooksFolder, { recursive: true });
  for (const file of readdirSync(hooksFolder)) chmodSync(join(hooksFolder, file), 0o755);
});

afterAll(() => rmSync(dirname(project), { recursive: true, force: true }));

needs("python3", "jq");

/** The command as it stands in settings.json. */
const STARTED_BY: Readonly<Record<string, string>> = { ".py": "python3 ", ".js": "node ", ".sh": "" };
const commandOf = (script: string) =>
  `${STARTED_BY[extname(script)]}"$CLAUDE_PROJECT_DIR"/.claude/hooks/${script}`;

const AT = { session_id: "abc123", cwd: project, transcript_path: join(project, "transcript.jsonl") };

const bash = (command: string): EventInput<"PreToolUse"> => ({
  ...AT,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: "toolu_01",
});
const tool = <Name extends "PreToolUse" | "PermissionRequest" | "PostToolUse" | "PostToolUseFailure">(
  hook_event_name: Name,
  tool_name: string,
  tool_input: object,
  more: object = {},
) => ({ ...AT, hook_event_name, tool_name, tool_input, ...more });
const prompt = (text: string) => ({ ...AT, hook_event_name: "UserPromptSubmit", prompt: text }) as const;
const ends = (more: object = {}) => ({ ...AT, hook_event_name: "Stop", ...more }) as const;

/** What matters of a decision; what is not there was not said. */
function effectsOf(decision: Decision): object {
  const { action, reason, input, output, keep_going, abort, context, user_messages, runs } = decision;
  const effects = {
    action,
    reason,
    input,
    output,
    keep_going: keep_going?.reason,
    abort: abort?.reason,
    context: context.map(({ text }) => text).join("\n") || undefined,
    shown: user_messages.map(({ text }) => text).join("\n") || undefined,
    failure: runs.find(({ failure }) => failure !== undefined)?.failure,
  };
  return Object.fromEntries(Object.entries(effects).filter(([, value]) => value !== undefined));
}

const NO_OPINION = { action: "continue" };
const QUESTIONS = { questions: [{ question: "Which?", options: [{ label: "left" }, { label: "right" }] }] };

interface Case {
  readonly script: string;
  readonly event: Readonly<Record<string, unknown>> & { readonly hook_event_name: EventName };
  readonly does: object;
  readonly files?: Readonly<Record<string, string>>;
}

/** Each script when it has something to say and when it has not, with what Claude Code's documentation says it does. */
const CASES: readonly Case[] = [
  {
    script: "guard-rm.sh",
    event: bash("rm -rf build"),
    does: {
      action: "deny",
      reason: "Blocked: recursive force delete is not allowed. Remove files one by one.",
    },
  },
  { script: "guard-rm.sh", event: bash("ls"), does: NO_OPINION },
  { script: "log-commands.sh", event: bash("npm test"), does: NO_OPINION },
  {
    script: "protect-files.py",
    event: tool("PreToolUse", "Edit", { file_path: "/app/.env", old_string: "a", new_string: "b" }),
    does: { action: "deny", reason: "Editing /app/.env is not allowed" },
  },
  { script: "protect-files.py", event: tool("PreToolUse", "Edit", { file_path: "a.ts" }), does: NO_OPINION },
  {
    script: "bash-validator.py",
    event: bash("grep -r x ."),
    does: {
      action: "deny",
      reason: "• Use 'rg' (ripgrep) instead of 'grep' for better performance and features",
    },
  },
  { script: "bash-validator.py", event: tool("PreToolUse", "Read", { file_path: "x" }), does: NO_OPINION },
  {
    script: "approve-docs.py",
    event: tool("PreToolUse", "Read", { file_path: "README.md" }),
    does: { action: "allow", reason: "Documentation file auto-approved" },
  },
  { script: "approve-docs.py", event: tool("PreToolUse", "Read", { file_path: "a.ts" }), does: NO_OPINION },
  {
    script: "ask-before-push.sh",
    event: bash("git push --tags"),
    does: { action: "ask", reason: "About to run: git push --tags" },
  },
  { script: "ask-before-push.sh", event: bash("git status"), does: NO_OPINION },
  {
    script: "dry-run.js",
    event: bash("npm publish"),
    does: { action: "allow", reason: "Dry run only", input: { command: "npm publish --dry-run" } },
  },
  { script: "dry-run.js", event: bash("npm publish --dry-run"), does: NO_OPINION },
  {
    script: "answer-question.js",
    event: tool("PreToolUse", "AskUserQuestion", QUESTIONS),
    does: { action: "allow", input: { ...QUESTIONS, answers: { "Which?": "left" } } },
  },
  {
    script: "legacy-block.py",
    event: bash("sudo ls"),
    does: { action: "deny", reason: "sudo is not available here" },
  },
  { script: "legacy-block.py", event: bash("ls"), does: { action: "allow", reason: "no sudo" } },
  { script: "kill-switch.sh", event: bash("ls"), does: NO_OPINION },
  {
    script: "kill-switch.sh",
    event: bash("ls"),
    files: { ".claude/STOP": "" },
    does: {
      action: "deny",
      reason: "Stopped by the kill switch",
      abort: "Stopped by the kill switch",
      shown: "Remove .claude/STOP to go on",
    },
  },
  {
    script: "prompt-guard.py",
    event: prompt("my password: hunter2"),
    does: {
      action: "deny",
      reason:
        "Security policy violation: Prompt contains potential secrets. Please rephrase your request without sensitive information.",
    },
  },
  {
    script: "prompt-guard.py",
    event: prompt("hello"),
    does: { action: "continue", context: expect.stringMatching(/^Current year: \d{4}$/) },
  },
  {
    script: "prompt-context.sh",
    event: prompt("deploy it"),
    does: { action: "continue", context: "Deploys go through CI; never run them by hand." },
  },
  { script: "prompt-context.sh", event: prompt("hello"), does: NO_OPINION },
  {
    script: "session-context.sh",
    event: { ...AT, hook_event_name: "SessionStart", source: "startup" },
    does: { action: "continue", context: "## Project: shop\nStarted by: startup" },
  },
  {
    script: "session-context.js",
    event: { ...AT, hook_event_name: "SessionStart", source: "resume" },
    does: { action: "continue", context: "Use pnpm, not npm. (resume)" },
  },
  {
    script: "stop-until-tests-pass.sh",
    event: ends({ stop_hook_active: false }),
    files: { "test.sh": "echo 1 failing; exit 1" },
    does: { action: "continue", keep_going: "Tests fail. Fix them before stopping:\n1 failing" },
  },
  {
    script: "stop-until-tests-pass.sh",
    event: ends({ stop_hook_active: true }),
    files: { "test.sh": "exit 1" },
    does: NO_OPINION,
  },
  {
    script: "stop-until-tests-pass.sh",
    event: ends({ stop_hook_active: false }),
    files: { "test.sh": "exit 0" },
    does: NO_OPINION,
  },
  {
    script: "stop-todo.py",
    event: ends({ last_assistant_message: "Done, but for a TODO." }),
    does: { action: "continue", keep_going: "You left a TODO in your answer. Finish it." },
  },
  { script: "stop-todo.py", event: ends({ last_assistant_message: "Done." }), does: NO_OPINION },
  {
    script: "subagent-stop.js",
    event: { ...AT, hook_event_name: "SubagentStop", agent_type: "reviewer", last_assistant_message: "Fine" },
    does: { action: "continue", keep_going: "End with a line 'Verdict: …'." },
  },
  {
    script: "subagent-stop.js",
    event: { ...AT, hook_event_name: "SubagentStop", agent_type: "explorer" },
    does: NO_OPINION,
  },
  {
    script: "check-format.py",
    event: tool("PostToolUse", "Write", { file_path: "a", content: "a \nb" }, { tool_response: "ok" }),
    does: { action: "deny", reason: "line 1: trailing whitespace" },
  },
  {
    script: "check-format.py",
    event: tool("PostToolUse", "Write", { file_path: "a", content: "a" }, { tool_response: "ok" }),
    does: { action: "continue", shown: "format ok" },
  },
  {
    script: "lint.sh",
    event: tool("PostToolUse", "Edit", { file_path: "a.ts" }, { tool_response: {} }),
    files: { "a.ts": "console.log(1)" },
    does: {
      action: "deny",
      reason: "console.log left in a.ts",
      context: "Use the logger in src/log.ts.",
    },
  },
  {
    script: "lint.sh",
    event: tool("PostToolUse", "Edit", { file_path: "a.md" }, { tool_response: {} }),
    does: NO_OPINION,
  },
  {
    script: "redact-output.js",
    event: tool("PostToolUse", "mcp__vault__get", {}, { tool_response: { value: "sk-abc123" } }),
    does: { action: "continue", output: { value: "[redacted]" } },
  },
  {
    script: "redact-output.js",
    event: tool("PostToolUse", "mcp__vault__get", {}, { tool_response: { value: "plain" } }),
    does: NO_OPINION,
  },
  {
    script: "notify.sh",
    event: {
      ...AT,
      hook_event_name: "Notification",
      message: "Waiting for you",
      notification_type: "idle_prompt",
    },
    does: NO_OPINION,
  },
  {
    script: "permission.py",
    event: tool("PermissionRequest", "Bash", { command: "npm test" }),
    does: { action: "allow", input: { command: "npm test -- --silent" } },
  },
  {
    script: "permission.py",
    event: tool("PermissionRequest", "Bash", { command: "curl example.com" }),
    does: { action: "deny", reason: "No downloads." },
  },
  {
    script: "permission.py",
    event: tool("PermissionRequest", "Bash", { command: "make" }),
    does: NO_OPINION,
  },
  {
    script: "failing-tool.sh",
    event: tool(
      "PostToolUseFailure",
      "Bash",
      { command: "npm start" },
      { error: "listen EADDRINUSE :::3000" },
    ),
    does: { action: "continue", context: "Port 3000 is taken by the dev server; use 3001." },
  },
  {
    script: "compact.sh",
    event: { ...AT, hook_event_name: "PreCompact", trigger: "auto" },
    does: { action: "deny", reason: "Compact by hand here: /compact" },
  },
  {
    script: "compact.sh",
    event: { ...AT, hook_event_name: "PreCompact", trigger: "manual" },
    does: NO_OPINION,
  },
];

/** `npm test` leaves out when a script has nothing to say, unless it never has. */
const USUAL = CASES.filter(
  ({ script, does }, at) => does !== NO_OPINION || CASES.findIndex((one) => one.script === script) === at,
);

describe("a hook script written for Claude Code does here what it does there", () => {
  it("and every script of the folder is tried", () => {
    expect([...new Set(CASES.map(({ script }) => script))].sort()).toEqual(readdirSync(scripts).sort());
  });

  it.each(chosen(USUAL, CASES))(
    "$script on $event.hook_event_name: $does",
    async ({ script, event, does, files = {} }) => {
      for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
      const hooks = createHooks();
      await hooks.add(
        {
          name: basename(script),
          type: "command",
          command: commandOf(script),
          matcher: { events: [event.hook_event_name] },
        },
        { root: project },
      );
      const deciding: Promise<Decision> = Reflect.apply(hooks.fire, hooks, [event]);
      expect(effectsOf(await deciding)).toEqual(does);
      await hooks.close();
      for (const file of Object.keys(files)) rmSync(join(project, file));
    },
  );

  it("and leaves behind what it wrote", () => {
    const written = (file: string) => readFileSync(join(project, ".claude", file), "utf8");
    expect(written("bash-command-log.txt")).toBe("npm test - No description\n");
    expect(written("notifications.txt")).toBe("Claude Code: Waiting for you\n");
    expect(existsSync(join(project, ".claude/STOP"))).toBe(false);
  });
});
