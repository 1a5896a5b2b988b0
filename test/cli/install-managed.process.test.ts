import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noSandbox } from "../support/bubblewrap.ts";
import { leaveOut } from "../support/not-here.ts";
import { newProject, shellCall } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

const HOOKS = `hooks:
  managed_by: the platform team
  definitions:
    - { name: no-publish, type: inline, matcher: { events: [PreToolUse], tools: [Bash] }, rules: 'command contains "npm publish" -> deny("Releases go through CI.")' }
`;

/** A machine whose /etc is a folder of the test. */
function machine(managed?: string) {
  const project = newProject();
  const etc = join(project.folder, "etc");
  mkdirSync(join(etc, "tenterhook"), { recursive: true });
  if (managed !== undefined) writeFileSync(join(etc, "tenterhook/hooks.yaml"), managed);
  const tenterhook = (args: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(
      "bwrap",
      ["--dev-bind", "/", "/", "--bind", etc, "/etc", process.execPath, CLI, ...args],
      { cwd: project.cwd, env: project.environment, input, encoding: "utf8" },
    );
    return { code: status, stdout, stderr };
  };
  return { etc, cwd: project.cwd, tenterhook };
}

const settingsOf = (etc: string) => join(etc, "claude-code/managed-settings.json");

describe("install --managed", () => {
  leaveOut(noSandbox);

  it("makes the agent of every user ask about what the managed hooks need, doctor finds a changed entry, and uninstall takes it out", () => {
    const { etc, cwd, tenterhook } = machine(HOOKS);
    expect(tenterhook(["install", "claude", "--managed"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        "/etc/claude-code/managed-settings.json now calls Tenterhook for 1 event.",
      ),
    });
    const written = readFileSync(settingsOf(etc), "utf8");
    expect(JSON.parse(written).hooks).toEqual({
      PreToolUse: [{ hooks: [expect.objectContaining({ command: "tenterhook hook", onFailure: "block" })] }],
    });
    const { stdout } = tenterhook(
      ["hook"],
      JSON.stringify({ session_id: "s", cwd, ...shellCall("npm publish"), tool_use_id: "t" }),
    );
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "Releases go through CI.\nManaged by the platform team.",
    });
    expect(tenterhook(["doctor"]).stdout).toContain(
      "/etc/claude-code/managed-settings.json calls Tenterhook for PreToolUse.",
    );
    writeFileSync(settingsOf(etc), written.replace('"onFailure": "block"', '"onFailure": "allow"'));
    expect(tenterhook(["doctor"]).stdout).toMatch(
      /PreToolUse differently than the configuration requires \(onFailure\):\s+sudo tenterhook install claude --managed\./,
    );
    expect(tenterhook(["uninstall", "claude", "--managed"])).toMatchObject({ code: 0 });
    expect(existsSync(settingsOf(etc)) && readFileSync(settingsOf(etc), "utf8").includes("tenterhook")).toBe(
      false,
    );
  });

  it("says what is missing", () => {
    expect(machine(HOOKS).tenterhook(["install", "cursor", "--managed"]).stderr).toContain(
      "Cursor has no settings for a whole machine that Tenterhook can write.",
    );
    expect(machine().tenterhook(["install", "claude", "--managed"]).stderr).toContain(
      "The managed file has no hooks, so nothing has to call Tenterhook for them.",
    );
  });
});
