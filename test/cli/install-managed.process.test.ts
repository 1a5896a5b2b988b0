import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookCommand } from "../../src/adapters/settings/hook-command.ts";
import { NODE_VARIABLES } from "../../src/shared/code-variables.ts";
import { noSandbox } from "../support/bubblewrap.ts";
import { leaveOut } from "../support/not-here.ts";
import { HOOKS, machine } from "./support/install-managed.ts";
import { CLI } from "./support/run-cli.ts";

const settingsOf = (etc: string) => join(etc, "claude-code/managed-settings.json");

describe("install --managed", () => {
  leaveOut(noSandbox);

  it("makes the agent of every user ask about what the managed hooks need, doctor finds a changed entry, and uninstall takes it out", () => {
    const { etc, tenterhook, decided } = machine(HOOKS);
    expect(tenterhook(["install", "claude", "--managed", "-v"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        "/etc/claude-code/managed-settings.json: it calls Tenterhook for PreToolUse.",
      ),
    });
    const written = readFileSync(settingsOf(etc), "utf8");
    expect(JSON.parse(written).hooks).toEqual({
      PreToolUse: [
        { hooks: [expect.objectContaining({ command: hookCommand({ gate: true }), onFailure: "block" })] },
      ],
    });
    const folder = "/etc/claude-code/tenterhook";
    expect(JSON.parse(written)).toMatchObject({
      extraKnownMarketplaces: { tenterhook: { source: { source: "directory", path: folder } } },
      prependPlugins: ["tenterhook@tenterhook", "sec-default@builtin"],
    });
    const register = join(etc, "claude-code/tenterhook/tenterhook/hooks/register.js");
    expect(statSync(register).mode & 0o777).toBe(0o644);
    expect(readFileSync(join(register, "../place.js"), "utf8")).toBe(
      `export const PLACE = ${JSON.stringify({ program: [process.execPath, CLI], unset: NODE_VARIABLES })};\n`,
    );
    expect(decided("npm publish")).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "Releases go through CI.\nManaged by the platform team.",
    });
    expect(tenterhook(["doctor"]).stdout).toContain(
      "/etc/claude-code/managed-settings.json calls Tenterhook for PreToolUse.",
    );
    writeFileSync(settingsOf(etc), written.replace('"onFailure": "block"', '"onFailure": "allow"'));
    expect(tenterhook(["doctor"]).stdout).toMatch(
      /PreToolUse\s+was\s+changed:\s+onFailure\s+\S+\s+Fix:\s+sudo tenterhook install claude --managed/,
    );
    const own = tenterhook(["install", "claude", "--user", "-v"]).stdout.replaceAll(/\s+/g, " ");
    expect(own).toContain(
      "where /etc/claude-code/managed-settings.json is: sudo tenterhook install claude --managed",
    );
    expect(tenterhook(["uninstall", "claude", "--managed"])).toMatchObject({ code: 0 });
    expect(existsSync(register)).toBe(false);
    expect(existsSync(settingsOf(etc)) && readFileSync(settingsOf(etc), "utf8").includes("tenterhook")).toBe(
      false,
    );
  });
});
