import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { installHooks, runClaude } from "../support/claude.ts";
import { clientProject, type Step } from "../support/client.ts";

const bash = (command: string): Step => [["Bash", { command, description: "Run it" }]];

/** A project where one command is asked on an event. */
async function withHook(event: string, command: string): Promise<Project> {
  const project = clientProject();
  await installHooks(project, [{ name: "hook", type: "command", command, matcher: { events: [event] } }]);
  return project;
}

function replying(reply: object): string {
  return `cat <<'END'\n${JSON.stringify(reply)}\nEND`;
}

/** What became of the decisions: the losses as the user was told them. */
function userMessages(messages: readonly Readonly<Record<string, unknown>>[]): string {
  return JSON.stringify(messages);
}

const END = replying({ continue: false, stopReason: "Enough." });
const SUBAGENT: Step = [
  [
    "Agent",
    {
      description: "Make it",
      prompt: "SUBTASK: make it",
      subagent_type: "general-purpose",
      run_in_background: false,
    },
  ],
];

describe("the end of the run", () => {
  it.each<[string, readonly Step[], number]>([
    ["UserPromptSubmit", [bash("touch after")], 0],
    ["PreToolUse", [bash("touch after")], 1],
    ["PostToolUse", [bash("true"), bash("touch after")], 1],
    ["PostToolBatch", [bash("true"), bash("touch after")], 1],
  ])("is heard on %s", async (event, script, requests) => {
    const project = await withHook(event, END);
    const run = await runClaude({ project, script });
    expect([run.requests.length, existsSync(join(project.cwd, "after"))]).toEqual([requests, false]);
  });

  it("is heard where a permission is asked for", async () => {
    const project = await withHook("PermissionRequest", END);
    const run = await runClaude({
      project,
      mode: "default",
      script: [bash("touch first"), bash("touch after")],
    });
    expect([run.requests.length, existsSync(join(project.cwd, "first"))]).toEqual([1, false]);
  });

  it.each<[string, readonly Step[]]>([
    ["SessionStart", [bash("touch after")]],
    ["PostToolUseFailure", [bash("exit 3"), bash("touch after")]],
  ])("is not heard on %s, and the user is told so", async (event, script) => {
    const project = await withHook(event, END);
    const { messages } = await runClaude({ project, script, args: ["--include-hook-events"] });
    expect(existsSync(join(project.cwd, "after"))).toBe(true);
    expect(userMessages(messages)).toContain(
      `Claude Code does not support abort on ${event}. The run continues.`,
    );
  });
});

describe("a subagent that a hook refuses", () => {
  it("starts all the same, and install, doctor and the message of the hook say so", async () => {
    const project = await withHook("SubagentStart", "echo 'No children.' >&2; exit 2");
    const [installed, checked] = [await project.run(["install", "claude"]), await project.run(["doctor"])];
    for (const { stdout } of [installed, checked])
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(
        "it continues anyway, because nothing can stop it there",
      );
    const { messages } = await runClaude({
      project,
      args: ["--include-hook-events"],
      script: [SUBAGENT],
      subagent: { word: "SUBTASK", script: [bash("touch below")] },
    });
    expect(existsSync(join(project.cwd, "below"))).toBe(true);
    expect(userMessages(messages)).toContain("No children.");
    expect(userMessages(messages)).toContain("It continues anyway");
  });
});

describe("another result of a tool", () => {
  const replaced = (updatedToolOutput: unknown) =>
    replying({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput } });

  it.each([
    ["as a text", "REPLACED"],
    ["as a part of it", { stdout: "REPLACED" }],
  ])("of a shell reaches the model %s, and the old one does not", async (_, output) => {
    const project = await withHook("PostToolUse", replaced(output));
    const { lastSent } = await runClaude({ project, script: [bash("echo or''iginal; echo or''iginal >&2")] });
    expect([lastSent.includes("REPLACED"), lastSent.includes("original")]).toEqual([true, false]);
  });

  it("of a file reaches the model, and the old one does not", async () => {
    const project = await withHook("PostToolUse", replaced("REPLACED"));
    project.write("secret.txt", "original\n");
    const read: Step = [["Read", { file_path: join(project.cwd, "secret.txt") }]];
    const { lastSent } = await runClaude({ project, script: [read] });
    expect([lastSent.includes("REPLACED"), lastSent.includes("original")]).toEqual([true, false]);
  });

  it("that does not fit ends the run before the model reads the old one", async () => {
    const project = await withHook("PostToolUse", replaced({ clean: "REPLACED" }));
    const { requests } = await runClaude({ project, script: [bash("echo or''iginal")] });
    expect(requests.length).toBe(1);
  });
});

describe("a worktree", () => {
  it("that a hook fails for is not made of what we say about it", async () => {
    const project = await withHook("claude:WorktreeCreate", "echo 'No more trees.' >&2; exit 1");
    const { code, stderr, requests } = await runClaude({ project, args: ["--worktree", "one"] });
    expect([code, requests.length]).toEqual([1, 0]);
    expect(stderr).toContain("No more trees.");
    expect(stderr).not.toContain("systemMessage");
  });
});
