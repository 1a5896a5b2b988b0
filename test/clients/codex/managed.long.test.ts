import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CLI } from "../../cli/support/run-cli.ts";
import { clientProject } from "../support/client.ts";
import { CODEX, runCodex } from "../support/codex.ts";

const HOOKS = `hooks:
  managed_by: the platform team
  definitions:
    - { name: refuses, type: inline, matcher: { events: [PreToolUse] }, rules: 'command contains "made" -> deny("Nothing is made here.")' }
`;

it.each([
  ["trusts nothing", []],
  ["switches hooks off", ["-c", "features.hooks=false"]],
])("Codex obeys the managed hooks of its machine when its user %s", async (_, args) => {
  const project = clientProject();
  const etc = join(project.folder, "etc");
  mkdirSync(join(etc, "tenterhook"), { recursive: true });
  writeFileSync(join(etc, "tenterhook/hooks.yaml"), HOOKS);
  // In a view of the machine with another /etc.
  const view = ["--dev-bind", "/", "/", "--bind", etc, "/etc", "--"];
  const { cwd, environment: env } = project;
  execFileSync("bwrap", [...view, process.execPath, CLI, "install", "codex", "--managed"], { cwd, env });
  const { lastSent } = await runCodex({
    project,
    args,
    through: ["bwrap", ...view],
    script: [CODEX.shell("touch made")],
  });
  expect(existsSync(join(cwd, "made"))).toBe(false);
  expect(lastSent).toContain("Nothing is made here.\\nManaged by the platform team.");
});
