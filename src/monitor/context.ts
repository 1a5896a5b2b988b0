import type { MonitorStore } from "../shared/monitor/monitor.ts";
import type { MonitorSettings } from "../shared/monitor/settings.ts";
import type { Monitor } from "./monitor.ts";

/** The section `monitor` of the configuration in force in a folder. Never rejects. */
export type SettingsFor = (cwd: string) => Promise<MonitorSettings>;

/** What the parts of a daemon share. */
export interface MonitorContext {
  readonly store: MonitorStore;
  readonly monitor: Monitor;
  readonly environment: NodeJS.ProcessEnv;
  readonly settingsFor: SettingsFor;
  /** Starts a process that carries out an agent's pending action and outlives the daemon. Must not throw. */
  readonly carryOut: (actionId: string) => void;
  /** Resolves when everything that was reported is stored. */
  readonly drain: () => Promise<void>;
  readonly log: (line: string) => void;
  readonly onError: (error: unknown) => void;
}
