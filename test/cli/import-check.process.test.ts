import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../support/needs.ts";
import { newProject } from "./support/project.ts";

needs("jq");

const GUARD = `#!/bin/sh
line=$(jq -r '.tool_input.command // empty')
case "$line" in
  *"rm -rf"*) echo "Not that: $line" >&2; exit 2 ;;
  *push*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Sure?"}}' ;;
esac
`;
const settings = (hooks: object) => JSON.stringify({ hooks });
const one = (command: string, matcher?: string, more: object = {}) => [
  { matcher, hooks: [{ type: "command", command, ...more }] },
];

describe("import --check", () => {
  it("runs the original and the imported hook on sample events, and finds that they decide the same", async () => {
    const project = newProject();
    project.write("guard.sh", GUARD);
    const hooks = {
      PreToolUse: one('"$CLAUDE_PROJECT_DIR"/guard.sh', "Bash"),
      SessionStart: one("echo Welcome.; pwd"),
      Stop: one("jq -e .stop_hook_active > seen || { echo More. >&2; exit 2; }"),
      Notification: [{ hooks: [{ type: "http", url: "http://127.0.0.1:9/" }] }],
    };
    project.write(".claude/settings.json", settings(hooks));
    const { code, stdout, stderr } = await project.run(["import", "claude", "--check", "--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.replaceAll(/ +/g, " ")).toBe(`guard PreToolUse Bash
 same Bash ls -la continues
 same Bash git push --force origin main ask
 same Bash rm -rf / --no-preserve-root deny
 same Bash cat .env && curl https://example.com continues
echo SessionStart
 same startup context
 same resume context
 same compact context
jq Stop
 same Stop keeps going
 same Stop continues
Not compared, since only commands are run here: 127-0-0-1.

9 events compared: the same.
Tenterhook has read both replies. What Claude Code reads differently: tenterhook import claude --dry-run
`);
    expect(existsSync(join(project.cwd, ".tenterhook"))).toBe(false);
  });

  it("takes the events of a file, and says what differs", async () => {
    const project = newProject();
    // Keys and tokens are withheld when they are not named as a variable.
    const command = "printenv MY_TOKEN_X >&2 && exit 2; true";
    project.write(".claude/settings.json", settings({ PreToolUse: one(command, "Write") }));
    project.environment.MY_TOKEN_X = "No.";
    const call = (tool_name: string) =>
      JSON.stringify({
        session_id: "s",
        cwd: project.cwd,
        hook_event_name: "PreToolUse",
        tool_name,
        tool_input: {},
      });
    project.write(
      "events.jsonl",
      `${call("Write")}\n\n${call("Read")}\n${JSON.stringify({ hook_event_name: "Stop" })}\n`,
    );
    const { code, stdout } = await project.run([
      "import",
      "claude",
      "--check",
      "--events",
      "events.jsonl",
      "--yes",
    ]);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/ +/g, " ")).toBe(`printenv PreToolUse Write
 differs Write deny
 verdict: deny
 here: nothing
 reason: No.
 here: nothing
 same Read continues

2 events compared: 1 differs.
Tenterhook has read both replies. What Claude Code reads differently: tenterhook import claude --dry-run
`);
  });

  it("counts a reply with a fault as none, as Claude Code does", async () => {
    const project = newProject();
    const other = { hookEventName: "PermissionRequest", permissionDecision: "deny" };
    project.write("faulty.json", JSON.stringify({ hookSpecificOutput: other }));
    const hooks = {
      PreToolUse: [
        ...one("cat faulty.json", "WebSearch"),
        ...one("exit 1", "WebSearch", { onFailure: "block" }),
      ],
      Stop: one("exit 1"),
      UserPromptSubmit: one("echo '{broken'"),
    };
    project.write(".claude/settings.json", settings(hooks));
    const { code, stdout } = await project.run(["import", "claude", "--check", "--yes"]);
    const rows = stdout.split("\n").filter((row) => /^ {2}\w|here:/.test(row));
    expect(rows.map((row) => row.trim().replaceAll(/\s+/g, " "))).toEqual([
      "same WebSearch hooks continues",
      "same WebSearch hooks deny",
      "same Stop continues",
      "same Stop continues",
      "same Fix the tests. context",
      "same My key is sk-123, deploy to production. context",
    ]);
    expect(code).toBe(0);
  });

  it("asks a hook only about what its matcher, its condition and its agent want", async () => {
    const project = newProject();
    const hooks = {
      SessionStart: one("echo Back.", "resume"),
      PreToolUse: one("exit 2", "Bash", { if: "Bash(make:*)" }),
      "claude:Unused": [],
    };
    project.write(".claude/settings.json", settings(hooks));
    const front = "hooks: { Stop: [{ hooks: [{ type: command, command: exit 2 }] }] }";
    project.write(".claude/agents/tester.md", `---\nname: tester\n${front}\n---\n`);
    const { code, stdout } = await project.run(["import", "claude", "--check", "--yes"]);
    const rows = stdout.split("\n").filter((row) => /^ {2}(?:same|differs)/.test(row));
    expect(rows.map((row) => row.trim().split(/\s{2,}/))).toEqual([
      ["same", "startup", "continues"],
      ["same", "resume", "context"],
      ["same", "compact", "continues"],
      ["same", "Bash make", "deny"],
      ["same", "Bash ls -la", "continues"],
      ["same", "Bash git push --force origin main", "continues"],
      ["same", "Bash rm -rf / --no-preserve-root", "continues"],
      ["same", "Bash cat .env && curl https://example.com", "continues"],
      ["same", "SubagentStop", "keeps going"],
    ]);
    expect(code).toBe(0);
  });
});

it("import copilot --check --events takes payloads in both spellings, each for the hooks that get it", async () => {
  const project = newProject();
  const command = (more: object) => ({ type: "command", ...more });
  const refusing = command({ bash: `echo '{"permissionDecision":"deny"}'` });
  project.write(
    ".github/hooks/guards.json",
    JSON.stringify({
      version: 1,
      hooks: { preToolUse: [refusing], PreToolUse: [refusing], agentStop: [command({ bash: "true" })] },
    }),
  );
  const recorded = [
    { sessionId: "s", timestamp: 1, cwd: project.cwd, toolName: "bash", toolArgs: { command: "ls small" } },
    { sessionId: "s", timestamp: 1, cwd: project.cwd, stopReason: "end_turn" },
    {
      hook_event_name: "PreToolUse",
      session_id: "s",
      timestamp: "2026-11-15T21:11:33.080Z",
      cwd: project.cwd,
      tool_name: "Bash",
      tool_input: { command: "ls capital" },
    },
  ];
  project.write("events.jsonl", recorded.map((one) => JSON.stringify(one)).join("\n"));
  const { code, stdout } = await project.run([
    "import",
    "copilot",
    "--check",
    "--events",
    "events.jsonl",
    "--yes",
  ]);
  expect(code).toBe(0);
  expect(stdout.replaceAll(/ +/g, " ")).toBe(`echo preToolUse
 same bash ls small deny
echo-2 PreToolUse
 same Bash ls capital deny
true agentStop
 same Stop continues

3 events compared: the same.
Tenterhook has read both replies. What GitHub Copilot CLI reads differently: tenterhook import copilot --dry-run
`);
});
