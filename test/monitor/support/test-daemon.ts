import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { startDaemon } from "../../../src/monitor/daemon/daemon.ts";
import { daemonPlace } from "../../../src/monitor/daemon/place.ts";
import { sqliteMonitor } from "../../../src/stores/monitor/sqlite-monitor.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A daemon in this process that ends with the test. */
export async function testDaemon(environment: NodeJS.ProcessEnv = { XDG_STATE_HOME: temporaryFolder() }) {
  const running = await startDaemon({
    openStore: sqliteMonitor,
    settingsFor: async () => ({}),
    carryOut: () => undefined,
    environment,
    log: () => undefined,
  });
  onTestFinished(() => running.close());
  const place = daemonPlace(environment);
  return { ...running, place, environment, token: readFileSync(place.token, "utf8") };
}
