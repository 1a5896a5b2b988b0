import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Driver, type Step, scripted } from "../../../src/know/prove/driver.ts";
import { startModelServer } from "../../../src/know/prove/model/model-server.ts";
import { stopDaemonAfterTest } from "../../cli/support/project.ts";
import { newFleet } from "../../fleet/support/fleet.ts";
import { rulesHook } from "../../support/hook-definitions.ts";
import type { PostgresServer } from "../../support/postgres.ts";
import { end, eventually } from "../../support/processes.ts";
import { type ClientName, clientProgram } from "./install-clients.ts";

const MOST_REQUESTS = 1000;

/** A rule of the worker's user that the programs of all runs obey. */
const TEAM_RULE = rulesHook("team-rule", 'command contains "forbidden" -> deny("The team says no.")');

/** A fleet whose worker has the real program of an agent, with a model that says what the script has. */
export async function clientFleet(
  server: PostgresServer,
  name: ClientName,
  driver: Driver,
  steps: readonly Step[],
) {
  const fleet = await newFleet(server, { config: { hooks: { definitions: [TEAM_RULE] } }, lease: "2s" });
  const { project, environment } = fleet;
  stopDaemonAfterTest({ ...project, environment });
  const { reply, requests } = scripted(driver, { steps });
  const model = await startModelServer(driver.protocol, new Array(MOST_REQUESTS).fill(reply));
  onTestFinished(() => model.close());
  // Codex works only in a repository that it knows to be one.
  execFileSync("git", ["init", "--quiet"], { cwd: project.cwd });
  const programs = join(project.folder, "programs");
  mkdirSync(programs);
  symlinkSync(clientProgram(name), join(programs, name));
  const home = environment.HOME ?? "";
  const site = { root: project.cwd, cwd: project.cwd, home, environment, prompt: "", model };
  driver.configure?.(site);
  Object.assign(environment, driver.command(site).variables, {
    PATH: [programs, environment.PATH].join(delimiter),
    SHELL: "/bin/bash",
  });
  return { ...fleet, sent: () => JSON.stringify(requests.at(-1)?.body ?? {}) };
}

/** Kills the worker after the program's first command, and expects the next worker to continue the program's session. */
export async function expectResumed(
  { project, submit, startWorker, until, sent }: Awaited<ReturnType<typeof clientFleet>>,
  agent: "claude" | "codex",
): Promise<void> {
  await submit({ task: "Work.", agent });
  const { child } = await startWorker();
  await eventually(() => expect(existsSync(join(project.cwd, "begun"))).toBe(true), 60_000);
  await end(child);
  await startWorker();
  const [done] = await until("done", "failed", "dead");
  expect(done).toMatchObject({
    ...{ state: "done", attempts: 2, result: { text: "done" } },
    note: expect.stringContaining("goes on in its own session"),
  });
  expect(readFileSync(join(project.cwd, "lines.txt"), "utf8")).toBe("one\n");
  // The model sees what it did before, and that it was interrupted.
  expect(sent()).toContain("echo one >> lines.txt");
  expect(sent()).toContain("The work on your task was interrupted.");
}
