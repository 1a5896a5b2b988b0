import { join } from "node:path";
import { onTestFinished } from "vitest";
import { sqliteMonitor } from "../../../src/monitor/store/sqlite-monitor.ts";
import type { MonitorStore } from "../../../src/shared/monitor/monitor.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A store of its own for a test. */
export async function openStore(file = join(temporaryFolder(), "monitor.sqlite")): Promise<MonitorStore> {
  const store = await sqliteMonitor(file);
  onTestFinished(() => store.close());
  return store;
}
