import type { MonitorStore } from "../../shared/monitor/monitor.ts";
import type { MonitorSettings } from "../../shared/monitor/settings.ts";

/** Finds what the monitor does by itself for an agent in a folder. */
export type SettingsFor = (cwd: string) => Promise<MonitorSettings>;

/** What a daemon is started with. */
export interface DaemonOptions {
  readonly openStore: (file: string) => Promise<MonitorStore>;
  /** The section `monitor` of the configuration in force in a folder. Never rejects. */
  readonly settingsFor: SettingsFor;
  /** Starts a process that carries out an action and outlives the daemon. Must not throw. */
  readonly carryOut: (actionId: string) => void;
  /** Decides calls of hooks at a socket; `onReplaced` is for a program that was installed again. Without it, none are. */
  readonly serveCalls?: (socket: string, onReplaced: () => void) => Promise<CallServer>;
  /** How long nobody has to need the daemon before it ends. Default: it stays. */
  readonly idleMilliseconds?: number | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  /** How often it looks for what nobody reports. It looks at what is reported at once. */
  readonly lookMilliseconds?: number;
}

/** What decides calls. */
export interface CallServer {
  /** When it last had something to do, in milliseconds since 1970. */
  lastCall(): number;
  close(): Promise<void>;
}
