import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { CLAUDE } from "../support/claude.ts";
import { proofSuite, provingPerson } from "../support/proofs.ts";
import { readJson, writeJson } from "../support/run-program.ts";

const settings = ({ environment }: Project) => join(environment.HOME ?? "", ".claude/settings.json");

proofSuite(
  { ...CLAUDE, agent: "claude" },
  // What a broken settings hook lets pass, the last gate stops.
  [],
  [
    [
      "disableAllHooks",
      (project) => writeJson(settings(project), { disableAllHooks: true }),
      "not_reached",
      "disableAllHooks is true there",
    ],
    [
      "a matcher that misses the shell, with no last gate behind it",
      (project) => {
        const { hooks } = readJson(settings(project));
        const PreToolUse = hooks.PreToolUse.map((group: object) => ({ ...group, matcher: "Bas|Edit" }));
        writeJson(settings(project), { hooks: { ...hooks, PreToolUse }, prependPlugins: [] });
      },
      "not_reached",
      'the matcher "Bas|Edit" on PreToolUse',
    ],
  ],
);

it("finds managed settings that forbid the hooks of users", { timeout: 400_000 }, async () => {
  const project = await provingPerson({ ...CLAUDE, agent: "claude" });
  const { cwd, environment, folder } = project;
  writeJson(join(folder, "etc/claude-code/managed-settings.json"), { allowManagedHooksOnly: true });
  // In a view of the machine with another /etc.
  const view = ["--dev-bind", "/", "/", "--bind", join(folder, "etc"), "/etc", "--"];
  const proof = promisify(execFile)("bwrap", [...view, process.execPath, CLI, "prove", "claude", "--json"], {
    cwd,
    env: environment,
  });
  const failed = await proof.then(
    () => undefined,
    (error: { code: number; stdout: string }) => error,
  );
  const [deny] = JSON.parse(failed?.stdout ?? "{}").agents[0].scenarios;
  expect([failed?.code, deny]).toEqual([
    1,
    {
      name: "deny",
      result: "not_reached",
      why: "/etc/claude-code/managed-settings.json: allowManagedHooksOnly is true there, so Claude Code starts no hook. Ask the people who manage this machine.",
    },
  ]);
});
