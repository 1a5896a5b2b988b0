import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { goAway } from "../../src/monitor/report/away.ts";
import { newProject } from "../cli/support/project.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { trustProject } from "../support/trust-project.ts";
import { inTerminal } from "./support/tmux.ts";
import { WHICH_WAY, watchedAgents } from "./support/watched-agents.ts";

beforeAll(mustBeBuilt);

/** A project on a machine that has Claude Code, and us. */
function withClaude() {
  const project = newProject();
  const program = project.write("../bin/claude", "#!/bin/sh\necho 2.1.325\n");
  project.write("../bin/tenterhook", "#!/bin/sh\n");
  chmodSync(program, 0o755);
  const environment = { ...project.environment, PATH: `${join(program, "..")}:${process.env.PATH}` };
  return { ...project, environment };
}

it("the first run offers to set everything up in this project, and does it", async () => {
  const project = withClaude();
  const terminal = inTerminal(project, []);
  const shown = await terminal.shows("↑↓ enter, q quits");
  expect(shown).toMatch(
    /Tenterhook \d[\s\S]*Found {3}Claude Code 2\.1\.325[\s\S]*Packs {3}safe-shell, protect-secrets[\s\S]*Nothing guards this project/,
  );
  expect(shown).toMatch(/› Guard Claude Code everywhere +for you, in every project/);
  terminal.keys("Down", "Enter");
  // What stands in for Claude Code asks no hook.
  expect(await terminal.exitCode()).toBe(1);
  expect(terminal.screen().replaceAll(/\s+/g, " ")).toMatch(
    /✓ hooks\.yaml safe-shell, protect-secrets ! Claude Code all \d+ hooks, it did not obey when it was proven today: tenterhook prove claude tenterhook what guards this project, who waits tenterhook uninstall --everything take all of it back/,
  );
  expect(existsSync(join(project.cwd, ".tenterhook/hooks.yaml"))).toBe(true);
  expect(readFileSync(join(project.cwd, ".claude/settings.json"), "utf8")).toContain("tenterhook");
  const later = await inTerminal(project, []).shows(
    /\d+ hooks (?:ready|in force) +safe-shell, protect-secrets/,
  );
  expect(later).toMatch(/· +this week +nothing decided yet/);
});

it("the first run sets it up everywhere for one person, with the hooks they have, and writes nothing into the project", async () => {
  const project = withClaude();
  const settings = { hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } };
  project.write("../home/.claude/settings.json", JSON.stringify(settings));
  const terminal = inTerminal(project, []);
  await terminal.shows("↑↓ enter, q quits");
  terminal.keys("Enter");
  expect(await terminal.shows("Leave them where they are")).toContain("› Bring your 1 hook along");
  terminal.keys("Enter");
  expect(await terminal.exitCode()).toBe(1);
  expect(terminal.screen()).toContain("1 moved from your agents' settings to hooks.yaml");
  expect(readdirSync(project.cwd)).toEqual([".git"]);
});

it("a pipe prints it once, with the next steps, and q leaves the menu", async () => {
  const project = newProject();
  const { code, stdout } = await project.start([]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /Nothing guards this project yet\.\n\n {2}tenterhook run --demo .*\n {2}tenterhook init .*\n {2}tenterhook run /,
    ),
  });
  const terminal = inTerminal(project, []);
  // Nothing has happened on a machine without an agent that could be played again.
  const menu = await terminal.shows("q quits");
  expect(menu).toMatch(/› Look at the demo[\s\S]*Set it up everywhere[\s\S]*in this project[\s\S]*Quit/);
  expect(menu).not.toContain("30 days");
  terminal.keys("q");
  expect(await terminal.exitCode()).toBe(0);
  const hasty = inTerminal(project, []);
  await hasty.shows("q quits");
  // The last of them leaves; the first would write a configuration.
  hasty.keys("Down", "Down", "Down", "Down", "Enter");
  expect(await hasty.exitCode()).toBe(0);
  expect(hasty.screen()).toContain("› Quit");
  expect(existsSync(join(project.cwd, ".tenterhook"))).toBe(false);
});

it("it says who waits, and that the user is away", async () => {
  const { project, ask } = await watchedAgents();
  project.write(".tenterhook/hooks.yaml", "hooks: { use: [safe-shell] }\n");
  await trustProject(project.cwd, project.environment);
  await ask("codex-1", WHICH_WAY);
  await goAway(project.environment);
  const { stdout } = await project.run([]);
  expect(stdout).toMatch(/● +1 agent waits for you +codex-1 \d+ s +tenterhook agents -w/);
  expect(stdout).toMatch(/● +you are away +since [^●]*tenterhook back/);
  const { stdout: json } = await project.run(["--json"]);
  expect(JSON.parse(json)).toMatchObject({
    waiting: [{ agent: "codex-1" }],
    away: { since: expect.any(String) },
  });
});
