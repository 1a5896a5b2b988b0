import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { settingsIn, startAction } from "../../../src/cli/commands/monitor/daemon/foreground.ts";
import type { DaemonOptions } from "../../../src/monitor/daemon/daemon.ts";
import { startDaemon } from "../../../src/monitor/daemon/daemon.ts";
import { daemonPlace } from "../../../src/monitor/report/daemon-place.ts";
import { sqliteMonitor } from "../../../src/monitor/store/sqlite-monitor.ts";
import type { Project } from "../../cli/support/project.ts";
import { inPlace } from "../../cli/support/run-cli.ts";
import { aPerson } from "../../support/a-person.ts";
import { type AtEnd, temporaryFolder } from "../../support/temporary-folder.ts";

/**
 * A daemon in this process that ends with the test. Whoever sends an answer to it counts as a person: the test may run in
 * an agent's shell.
 */
export async function testDaemon(options: Partial<DaemonOptions> = {}, atEnd: AtEnd = onTestFinished) {
  const { environment = { XDG_STATE_HOME: temporaryFolder() } } = options;
  const running = await startDaemon({
    openStore: sqliteMonitor,
    settingsFor: async () => ({}),
    carryOut: () => undefined,
    whoAnswers: aPerson,
    log: () => undefined,
    ...options,
    environment,
  });
  atEnd(() => running.close());
  const place = daemonPlace(environment);
  return { ...running, place, environment, token: readFileSync(place.token, "utf8") };
}

/**
 * The daemon of a project's user in this process, where a process of its own is not what is tested. It reads the
 * configuration and starts processes for its actions as the built one does.
 *
 * @param options.carryOut replaces these processes.
 */
export async function projectDaemon(
  { cwd, environment }: Project,
  options: Partial<DaemonOptions> = {},
  atEnd?: AtEnd,
) {
  const startProcess = await inPlace({ cwd, environment }, async () => startAction(environment));
  const fail = (error: unknown): never => {
    throw error;
  };
  return testDaemon(
    {
      environment,
      settingsFor: settingsIn(environment, fail),
      carryOut: startProcess,
      ...options,
    },
    atEnd,
  );
}
