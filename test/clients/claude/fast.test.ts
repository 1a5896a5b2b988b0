import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../support/processes.ts";
import { runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";
import { clientProgram } from "../support/install-clients.ts";

const bash = (command: string) => ["Bash", { command, description: "Work" }] as const;

/** A project whose user has Claude Code ask the daemon, which runs. */
async function fastProject() {
  const project = clientProject();
  const systemctl = project.write("../bin/systemctl", "#!/bin/sh\nexit 0\n");
  symlinkSync(clientProgram("claude"), join(systemctl, "../claude"));
  onTestFinished(async () => void (await project.start(["monitor", "stop"])));
  await project.configure([
    {
      name: "none",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules: 'command contains "touch made" -> deny("Nothing is made here.")',
    },
    {
      name: "told",
      type: "command",
      matcher: { events: ["PostToolUse"] },
      command: 'echo "$CLAUDE_PROJECT_DIR" > told; echo Seen by a command. >&2; exit 2',
    },
  ]);
  await project.start(["monitor", "install-service"]);
  await project.start(["monitor", "start"]);
  const socket = join(project.folder, "state/tenterhook/monitor/hook.sock");
  await eventually(() => expect(existsSync(socket)).toBe(true), 30_000);
  expect(await project.start(["install", "claude", "--fast"])).toMatchObject({ code: 0, stderr: "" });
  return project;
}

it("Claude Code asks the daemon by HTTP, and runs nothing while the daemon is away", async () => {
  const project = await fastProject();
  const isThere = (name: string) => existsSync(join(project.cwd, name));

  const denied = await runClaude({ project, script: [[bash("touch made")], [bash("touch fine")]] });
  expect([denied.code, isThere("made"), isThere("fine")]).toEqual([0, false, true]);
  expect(denied.lastSent).toContain("Nothing is made here.");
  expect(denied.lastSent).toContain("Seen by a command.");
  expect(readFileSync(join(project.cwd, "told"), "utf8")).toBe(`${project.cwd}\n`);

  await project.start(["monitor", "stop"]);
  const away = await runClaude({ project, script: [[bash("touch later")]] });
  expect(isThere("later")).toBe(false);
  expect(away.lastSent).not.toContain("Nothing is made here.");

  await project.start(["monitor", "start"]);
  await runClaude({ project, script: [[bash("touch later")]] });
  expect(isThere("later")).toBe(true);
});

it("Claude Code follows the rules of the worktree in which a session is resumed", async () => {
  const project = await fastProject();
  const { cwd, environment } = project;
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd,
      env: environment,
      stdio: "ignore",
    });
  const other = join(project.folder, "other");
  git("init");
  git("commit", "--allow-empty", "-m", "First");
  git("worktree", "add", other);
  // As a shell sets it.
  const runIn = async (folder: string, args: readonly string[] = []) => {
    environment.PWD = folder;
    return runClaude({ project, cwd: folder, args, script: [[bash("touch made")]] });
  };
  const first = await runIn(other);
  expect(existsSync(join(other, "made"))).toBe(true);
  const [session] = first.messages.flatMap(({ session_id: id }) => (typeof id === "string" ? [id] : []));
  const resumed = await runIn(cwd, ["--resume", session ?? ""]);
  expect(resumed.lastSent).toContain("Nothing is made here.");
  expect(existsSync(join(cwd, "made"))).toBe(false);
});
