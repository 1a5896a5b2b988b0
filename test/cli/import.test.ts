import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newProject } from "./support/project.ts";

const SETTINGS = JSON.stringify({
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "mine.sh" }] }] },
});

it.each([
  ["user", "../home/.claude/settings.json", "../config/tenterhook/hooks.yaml"],
  ["local", ".claude/settings.local.json", ".tenterhook/hooks.local.yaml"],
  ["project", ".claude/settings.json", ".tenterhook/hooks.yaml"],
])("hooks of the scope %s stay in it, and come in once", async (scope, settings, written) => {
  const project = newProject();
  project.write(settings, SETTINGS);
  const run = () => project.run(["import", "claude", `--${scope}`, "--yes"]);
  expect((await run()).stdout).toContain("+ mine");
  const file = join(project.cwd, written);
  const once = readFileSync(file, "utf8");
  project.write(written, once.replace("timeout: 600", "timeout: 10"));
  expect((await run()).stdout).toContain("is in the configuration already");
  expect(readFileSync(file, "utf8")).toBe(once.replace("timeout: 600", "timeout: 10"));
  expect(existsSync(join(project.cwd, ".tenterhook/hooks.yaml"))).toBe(scope === "project");
});

it("settings that can't be parsed are named", async () => {
  const project = newProject();
  const file = project.write(".claude/settings.json", "{");
  const { code, stderr } = await project.run(["import", "claude", "--yes"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`${file}: Line 1: `);
});
