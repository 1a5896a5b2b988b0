import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { MonitorStore } from "../../../src/core/contracts/monitor.ts";
import { sqliteMonitor } from "../../../src/stores/monitor/sqlite-monitor.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A store of its own for a test. */
export async function openStore(file = join(temporaryFolder(), "monitor.sqlite")): Promise<MonitorStore> {
  const store = await sqliteMonitor(file);
  onTestFinished(() => store.close());
  return store;
}
