import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../support/processes.ts";
import { runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const bash = (command: string) => ["Bash", { command, description: "Work" }] as const;

it("Claude Code asks the daemon by HTTP, and runs nothing while the daemon is away", async () => {
  const project = clientProject();
  project.write("../bin/systemctl", "#!/bin/sh\nexit 0\n");
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
