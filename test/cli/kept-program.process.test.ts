import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLAIN_PATH } from "../support/as-npx.ts";
import { npxProject } from "./support/npx-project.ts";

/** What Claude Code's settings run before a tool. */
function commandIn(settings: string): string {
  const { hooks } = JSON.parse(readFileSync(settings, "utf8"));
  return hooks.PreToolUse[0].hooks[0].command;
}

const CALL = JSON.stringify({
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_use_id: "t",
  tool_input: { command: "rm -rf ~" },
});

describe("somebody who has nothing but npx", () => {
  it("is guarded everywhere after npx has deleted what it ran", async () => {
    const { project, kept, run, npx } = await npxProject();
    expect(npx("install", "claude", "--user")).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("Tenterhook is kept as"),
    });
    rmSync(join(project.folder, "home/.npm"), { recursive: true });

    const { status, stdout } = run(
      "sh",
      ["-c", commandIn(join(project.folder, "home/.claude/settings.json"))],
      { input: CALL },
    );
    expect({ status, decision: JSON.parse(stdout).hookSpecificOutput.permissionDecision }).toEqual({
      status: 0,
      decision: "deny",
    });
    expect(run(join(kept, "tenterhook"), ["list"])).toMatchObject({ status: 0 });
  });

  it("keeps nothing for a look at what would be written", async () => {
    const { kept, npx } = await npxProject();
    expect(npx("install", "claude", "--dry-run")).toMatchObject({ status: 0 });
    expect(existsSync(kept)).toBe(false);
  });
});

it("npx hands over to a Tenterhook that is installed, which agents call", async () => {
  const { project, kept, npxProgram, run } = await npxProject();
  const folder = join(project.folder, "programs");
  mkdirSync(folder);
  writeFileSync(join(folder, "tenterhook"), "#!/bin/sh\necho installed: $*\nexit 7\n", { mode: 0o755 });
  expect(run(npxProgram, ["install", "claude"], { path: `${folder}:${PLAIN_PATH}` })).toEqual({
    status: 7,
    stdout: "installed: install claude\n",
    stderr: expect.stringContaining("The Tenterhook that is installed goes on"),
  });
  expect(existsSync(kept)).toBe(false);
});
