import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { claudeHandler } from "../../../src/adapters/claude/integration.ts";
import { isHookHandler } from "../../../src/adapters/settings/call-without-shell.ts";
import { systemOf } from "../../../src/shared/system/system.ts";
import { newProject, type Project } from "../../cli/support/project.ts";
import { mustBeBuilt, ROOT } from "../../repository/support/files.ts";
import { rulesHook } from "../../support/hook-definitions.ts";

const Handler = z.object({ command: z.string(), args: z.array(z.string()) });

const WINDOWS = systemOf("win32");
const handlerFor = (gate: boolean, command?: string) =>
  claudeHandler({ native: "PreToolUse", gate, timeout: 600, ...(command && { command }) }, WINDOWS);

/** Starts a handler as Claude Code does without a shell: only Node is on the PATH, and what npm puts there on Windows. */
function start(handler: object, { cwd, environment }: Project, PATH: string) {
  const { command, args } = Handler.parse(handler);
  const payload = {
    ...{ session_id: "s", cwd, transcript_path: join(cwd, ".claude/s.jsonl"), tool_use_id: "t" },
    ...{ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "git push --force" } },
  };
  expect(command).toBe("node");
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { ...environment, PATH, CLAUDE_PROJECT_DIR: cwd },
    input: JSON.stringify(payload),
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Our program as npm installs it on Windows: a command, and the package beside it. */
function installed(folder: string): string {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeFileSync(join(folder, "tenterhook.cmd"), "");
  symlinkSync(dirname(join(ROOT, "package.json")), join(folder, "node_modules/tenterhook"));
  return folder;
}

async function guarded(): Promise<Project> {
  mustBeBuilt();
  const project = newProject();
  await project.configure([rulesHook("no-force", 'command runs "git push --force" -> deny("No.")')]);
  return project;
}

describe("a hook of Claude Code on Windows", () => {
  it("starts without a shell, and refuses what a rule refuses", async () => {
    const project = await guarded();
    const { status, stdout } = start(handlerFor(true), project, installed(join(project.folder, "npm")));
    expect(status).toBe(0);
    expect(stdout).toContain('"permissionDecision":"deny"');
  });

  it("starts the project's own copy, wherever the session is", async () => {
    const project = await guarded();
    installed(project.cwd);
    const own = handlerFor(true, '"$CLAUDE_PROJECT_DIR"/node_modules/.bin/tenterhook hook');
    expect(start(own, project, "").stdout).toContain('"permissionDecision":"deny"');
  });

  it("refuses at a gate where our program is gone, and says so elsewhere", async () => {
    const project = await guarded();
    const gate = start(handlerFor(true), project, join(project.folder, "nothing"));
    expect(gate).toEqual({ status: 2, stdout: "", stderr: expect.stringContaining("so this is refused") });
    const other = start(handlerFor(false), project, join(project.folder, "nothing"));
    expect(other).toEqual({ status: 1, stdout: "", stderr: expect.stringContaining("its hooks do not run") });
  });

  it("is known as ours, has no double quotes for a shell to read, and blocks when it fails", () => {
    const handler = handlerFor(true);
    expect(isHookHandler(handler)).toBe(true);
    expect(isHookHandler({ ...handler, args: ["-e", "0"] })).toBe(false);
    expect(Handler.parse(handler).args.join("")).not.toContain('"');
    expect(handler.onFailure).toBe("block");
    expect(
      claudeHandler({ native: "Stop", gate: false, timeout: 600 }, systemOf("linux")).args,
    ).toBeUndefined();
  });
});
