import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { noSandbox } from "../support/bubblewrap.ts";
import { leaveOut } from "../support/not-here.ts";
import { HOOKS, machine } from "./support/install-managed.ts";

describe("install --managed", () => {
  leaveOut(noSandbox);

  it("writes the requirements of Codex beside what others require, and takes its lines out again", () => {
    const { etc, tenterhook } = machine(HOOKS);
    const file = join(etc, "codex/requirements.toml");
    const others = 'allowed_sandbox_modes = ["workspace-write"]\n';
    mkdirSync(join(etc, "codex"));
    writeFileSync(file, others);
    expect(tenterhook(["install", "codex", "--managed", "-v"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("/etc/codex/requirements.toml: it calls Tenterhook for PreToolUse."),
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
      "The managed file has no hooks, so there is nothing to install.",
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
