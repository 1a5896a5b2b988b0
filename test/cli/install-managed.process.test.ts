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
  const tenterhook = (args: readonly string[], input = "", environment: NodeJS.ProcessEnv = {}) => {
    const { status, stdout, stderr } = spawnSync(
      "bwrap",
      ["--dev-bind", "/", "/", "--bind", etc, "/etc", process.execPath, CLI, ...args],
      { cwd: project.cwd, env: { ...project.environment, ...environment }, input, encoding: "utf8" },
    );
    return { code: status, stdout, stderr };
  };
  /** What the agent is told about a shell command. */
  const decided = (command: string, environment?: NodeJS.ProcessEnv) => {
    const call = { session_id: "s", cwd: project.cwd, ...shellCall(command), tool_use_id: "t" };
    return JSON.parse(tenterhook(["hook"], JSON.stringify(call), environment).stdout).hookSpecificOutput;
  };
  return { etc, folder: project.folder, tenterhook, decided };
}

const settingsOf = (etc: string) => join(etc, "claude-code/managed-settings.json");

describe("install --managed", () => {
  leaveOut(noSandbox);

  it("makes the agent of every user ask about what the managed hooks need, doctor finds a changed entry, and uninstall takes it out", () => {
    const { etc, tenterhook, decided } = machine(HOOKS);
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
    expect(decided("npm publish")).toMatchObject({
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
});
