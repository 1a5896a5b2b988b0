import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeIntegration } from "../../src/adapters/claude/integration.ts";
import { newProject } from "./support/project.ts";

const SETTINGS = `{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "./guard.sh" },
          { "type": "command", "command": "tenterhook hook", "timeout": 600 }
        ]
      },
      { "hooks": [{ "type": "command", "command": "./all.sh" }] }
    ],
    "SessionStart": [
      { "hooks": [{ "type": "http", "url": "http://127.0.0.1:9/" }] }
    ],
    "Stop": [
      {
        "hooks": [{ "type": "command", "command": "./stop_hook_active.sh" }]
      }
    ]
  }
}
`;
const WITHOUT = `{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "tenterhook hook", "timeout": 600 }
        ]
      }
    ],
    "SessionStart": [
      { "hooks": [{ "type": "http", "url": "http://127.0.0.1:9/" }] }
    ]
  }
}
`;

/** What is in a settings file besides us. */
function othersIn(file: string): string | undefined {
  return claudeIntegration.settings.uninstall(readFileSync(file, "utf8"));
}

describe("import claude --remove", () => {
  it("names one backup of a file, as it was before, though it is written twice", async () => {
    const project = newProject();
    project.write(".claude/settings.json", SETTINGS);
    const { stdout } = await project.run(["import", "claude", "--remove", "--yes"]);
    const named = [...stdout.matchAll(/^ {2}backup: (.+)$/gm)].map(([, file = ""]) => file);
    expect(named.map((file) => readFileSync(file, "utf8"))).toEqual([SETTINGS]);
  });

  it("has the agent call us on every event of the hooks, so that none runs nowhere", async () => {
    const project = newProject();
    const file = project.write(".claude/settings.json", SETTINGS);
    const { stdout } = await project.run(["import", "claude", "--remove", "--yes"]);
    const called = claudeIntegration.settings.installed(readFileSync(file, "utf8"));
    expect(called).toEqual(expect.arrayContaining(["PreToolUse", "Stop"]));
    expect(stdout).not.toContain("does not call Tenterhook");
    const other = newProject();
    const bare = other.write(
      ".claude/settings.json",
      JSON.stringify({ hooks: { PostToolUse: [{ hooks: [{ type: "command", command: "./format.sh" }] }] } }),
    );
    await other.run(["import", "claude", "--remove", "--yes"]);
    expect(claudeIntegration.settings.installed(readFileSync(bare, "utf8"))).toContain("PostToolUse");
  });

  it("leaves the originals where the agent would not run ours in their place", async () => {
    const project = newProject();
    const before = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "./a.sh" }] }] } });
    const file = project.write(".codex/hooks.json", before);
    const { code, stderr } = await project.run(["import", "codex", "--remove", "--yes"]);
    expect([code, readFileSync(file, "utf8")]).toEqual([1, before]);
    expect(stderr).toContain("so the originals stay");
    expect(stderr).toContain("tenterhook install codex --trust");
  });

  it("takes the originals out of the settings and nothing else, and keeps a copy", async () => {
    const project = newProject();
    const file = project.write(".claude/settings.json", SETTINGS);
    const { code, stdout } = await project.run(["import", "claude", "--remove", "--yes"]);
    expect([code, othersIn(file)]).toEqual([0, claudeIntegration.settings.uninstall(WITHOUT)]);
    expect(stdout).toContain("the originals are out; Claude Code calls Tenterhook for them");
    const backups = join(project.folder, "state/tenterhook/backups");
    expect(readdirSync(backups).map((name) => readFileSync(join(backups, name), "utf8"))).toContain(SETTINGS);
  });

  it.each([
    [{}, true],
    [{ ANTHROPIC_API_KEY: "k" }, false],
  ])("leaves a hook that asks a model with %j: %s", async (keys, stays) => {
    const project = newProject();
    Object.assign(project.environment, keys);
    const ask = { hooks: [{ type: "prompt", prompt: "Is it done?" }] };
    const file = project.write(
      ".claude/settings.json",
      JSON.stringify({ model: "opus", hooks: { Stop: [ask] } }),
    );
    await project.run(["import", "claude", "--remove", "--yes"]);
    expect(readFileSync(file, "utf8").includes("Is it done?")).toBe(stays);
    await project.run(["import", "claude", "--remove", "--yes"]);
    expect(readFileSync(file, "utf8").includes("Is it done?")).toBe(stays);
  });

  it("removes what an earlier import has written", async () => {
    const project = newProject();
    const file = project.write(".claude/settings.json", SETTINGS);
    const first = await project.run(["import", "claude", "--yes"]);
    expect(first.stdout).toContain("the originals run as well: tenterhook import claude --remove");
    expect(readFileSync(file, "utf8")).toBe(SETTINGS);
    await project.run(["import", "claude", "--remove", "--yes"]);
    expect(othersIn(file)).toBe(claudeIntegration.settings.uninstall(WITHOUT));
  });

  it("shows the difference first with --dry-run", async () => {
    const project = newProject();
    const file = project.write(".claude/settings.json", SETTINGS);
    const { stdout } = await project.run(["import", "claude", "--remove", "--dry-run"]);
    expect(stdout).toContain('-          { "type": "command", "command": "./guard.sh" },');
    expect(readFileSync(file, "utf8")).toBe(SETTINGS);
  });

  it("takes the hooks out of front matter", async () => {
    const project = newProject();
    const hooks =
      "hooks:\n  PreToolUse:\n  - matcher: Bash\n    hooks:\n    - type: command\n      command: x\n";
    const file = project.write(
      ".claude/agents/one.md",
      `---\nname: one\n${hooks}# mine\ntools: Read\n---\nhooks:\n`,
    );
    await project.run(["import", "claude", "--remove", "--yes"]);
    expect(readFileSync(file, "utf8")).toBe("---\nname: one\ntools: Read\n---\nhooks:\n");
  });
});

describe("doctor", () => {
  it("says when a hook is both in the settings and in the configuration, and both are called", async () => {
    const project = newProject();
    project.write(".claude/settings.json", SETTINGS);
    await project.run(["import", "claude", "--yes"]);
    const both = (text: string) => text.replaceAll(/\s+/g, " ").match(/[^ ]+ runs twice[^:]*/g);
    // Claude Code calls us for PreToolUse only.
    expect(both((await project.run(["doctor"])).stdout)).toEqual(["guard runs twice", "all runs twice"]);
    await project.run(["install", "claude"]);
    expect(both((await project.run(["doctor"])).stdout)).toEqual([
      "guard runs twice",
      "all runs twice",
      "stop-hook-active runs twice",
    ]);
    await project.run(["import", "claude", "--remove", "--yes"]);
    expect(both((await project.run(["doctor"])).stdout)).toBe(null);
  });
});
