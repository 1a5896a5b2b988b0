import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { trustProject } from "../../support/trust-project.ts";
import { installHooks, runClaude } from "../support/claude.ts";
import { clientProject } from "../support/client.ts";

const bash = (command: string) => ["Bash", { command, description: "Work" }] as const;

describe("Claude Code", () => {
  it("can't switch its own hooks off, and they are asked to the end", async () => {
    const project = clientProject();
    const rules = 'command contains "touch made" -> deny("Nothing is made here.")';
    await installHooks(project, [
      { name: "none", type: "inline", matcher: { events: ["PreToolUse"] }, rules },
    ]);
    const settings = join(project.cwd, ".claude/settings.json");
    const before = readFileSync(settings, "utf8");
    const { requests, lastSent } = await runClaude({
      project,
      script: [
        [bash('echo "{}" > .claude/settings.json')],
        [["Write", { file_path: settings, content: "{}" }]],
        [bash("rm -rf .tenterhook")],
        [bash("tenterhook trust --yes")],
        [bash("touch made")],
      ],
    });
    expect(readFileSync(settings, "utf8")).toBe(before);
    expect(existsSync(join(project.cwd, ".tenterhook/hooks.yaml"))).toBe(true);
    expect(existsSync(join(project.cwd, "made"))).toBe(false);
    expect(requests).toHaveLength(6);
    expect(lastSent).toContain("Only the user decides that.");
    expect(lastSent).not.toMatch(/Restore it with|Trust it with/i);
  });

  it("obeys the permissions of the configuration", async () => {
    const project = clientProject();
    const permissions = { deny: ["Bash(touch made:*)"], allow: ["Bash(touch fine:*)"] };
    project.write(".tenterhook/hooks.yaml", JSON.stringify({ permissions }));
    await trustProject(project.cwd, project.environment);
    await project.run(["install", "claude"]);
    const { lastSent } = await runClaude({
      project,
      mode: "default",
      script: [[bash("true && touch made")], [bash("touch fine")]],
    });
    expect(["made", "fine"].map((name) => existsSync(join(project.cwd, name)))).toEqual([false, true]);
    expect(lastSent).toContain("Bash is denied by Bash(touch made:*).");
  });
});
