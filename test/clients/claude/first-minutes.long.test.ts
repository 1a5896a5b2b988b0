import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newProject } from "../../cli/support/project.ts";
import { asNpxUnpacks, PLAIN_PATH } from "../../support/as-npx.ts";
import { eventually } from "../../support/processes.ts";
import { type Terminal, terminalWith } from "../../terminal/support/tmux.ts";
import { clientProgram } from "../support/install-clients.ts";

const SETTINGS = '{ "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "true" } ] } ] } }\n';

/** It starts the agent a dozen times. */
async function codeOf(terminal: Terminal): Promise<number> {
  await eventually(() => expect(terminal.screen()).toMatch(/exit code \d/), 300_000);
  return terminal.exitCode();
}

it("one command and two answers guard the real Claude Code, and one command takes all of it back", async () => {
  const project = newProject();
  const home = join(project.folder, "home");
  const settings = project.write("../home/.claude/settings.json", SETTINGS);
  const claude = project.write("../bin/README", "Programs of this person.\n");
  symlinkSync(clientProgram("claude"), join(claude, "../claude"));
  const program = await asNpxUnpacks(home, onTestFinished);
  const environment = { ...project.environment, PATH: `${join(claude, "..")}:${PLAIN_PATH}` };
  const size = { columns: 100, rows: 40 };

  const first = terminalWith(project.cwd, environment, [program], size);
  await first.shows("Guard Claude Code everywhere");
  first.keys("Enter");
  await first.shows("Bring your 1 hook along");
  first.keys("Enter");
  expect(await codeOf(first)).toBe(0);
  expect(first.screen()).toMatch(/✓ Claude Code +guarded in every project: all \d+ hooks, proven today/);
  expect(first.screen()).toMatch(
    /Claude Code tried rm -rf \S+\s+with your hooks and settings, in a temporary folder, and was refused:/,
  );
  expect(first.screen()).toContain("tenterhook uninstall --everything   take all of it back");

  rmSync(join(home, ".npm"), { recursive: true });
  const kept = join(project.folder, "state/tenterhook/program/tenterhook");
  const second = terminalWith(project.cwd, environment, [kept, "prove", "claude"], size);
  expect(await codeOf(second)).toBe(0);
  const last = terminalWith(project.cwd, environment, [kept, "uninstall", "--everything", "--yes"], size);
  expect(await codeOf(last), last.screen()).toBe(0);
  expect(readFileSync(settings, "utf8")).toBe(SETTINGS);
}, 900_000);
