import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
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

describe("install --managed", () => {
  leaveOut(noSandbox);

  it("writes the requirements of Codex beside what others require, and takes its lines out again", () => {
    const { etc, tenterhook } = machine(HOOKS);
    const file = join(etc, "codex/requirements.toml");
    const others = 'allowed_sandbox_modes = ["workspace-write"]\n';
    mkdirSync(join(etc, "codex"));
    writeFileSync(file, others);
    expect(tenterhook(["install", "codex", "--managed"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("/etc/codex/requirements.toml now calls Tenterhook for 1 event."),
    });
    expect(parse(readFileSync(file, "utf8"))).toMatchObject({
      allowed_sandbox_modes: ["workspace-write"],
      features: { hooks: true },
      hooks: { PreToolUse: [{ hooks: [{ type: "command" }] }] },
    });
    expect(tenterhook(["doctor"]).stdout).toContain(
      "/etc/codex/requirements.toml calls Tenterhook for PreToolUse.",
    );
    writeFileSync(file, readFileSync(file, "utf8").replace("hooks = true", "hooks = false"));
    expect(tenterhook(["doctor"]).stdout).toMatch(/\[features\] has no hooks = true/);
    expect(tenterhook(["uninstall", "codex", "--managed"])).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toBe(others);
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

describe("the managed file", () => {
  leaveOut(noSandbox);

  it("says who manages a hook that fails", () => {
    const { decided } = machine(`hooks:
  managed_by: the platform team
  definitions: [{ name: scan, type: command, command: "exit 3", matcher: { events: [PreToolUse] } }]
`);
    expect(decided("ls")).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringMatching(
        /^Hook "scan" failed .*\nManaged by the platform team\.$/s,
      ),
    });
  });

  leaveOut(noSandbox);

  it("counts whatever the environment of the agent says", () => {
    const { folder, decided } = machine(HOOKS);
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(join(elsewhere, "tenterhook"), { recursive: true });
    writeFileSync(join(elsewhere, "tenterhook/hooks.yaml"), "hooks: { disabled: [no-publish] }");
    for (const environment of [
      { XDG_CONFIG_HOME: elsewhere },
      { HOME: elsewhere, XDG_CONFIG_HOME: undefined },
      { XDG_STATE_HOME: elsewhere, XDG_CACHE_HOME: elsewhere },
      { TENTERHOOK_DAEMON: "0" },
      { TENTERHOOK_PROJECT_DIR: elsewhere, CLAUDE_PROJECT_DIR: elsewhere },
      { TENTERHOOK_HOOK_NAME: "no-publish", TENTERHOOK_SLOT: "1" },
      { NODE_ENV: "test", CLAUDECODE: "1" },
    ])
      expect({ environment, ...decided("npm publish", environment) }).toMatchObject({
        permissionDecision: "deny",
        permissionDecisionReason: "Releases go through CI.\nManaged by the platform team.",
      });
  });
});
