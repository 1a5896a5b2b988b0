import { applyConfig, type Config, loadConfig } from "./config.ts";
import { createHooks, type Hooks } from "./index.ts";
import { Journal } from "./stores/journal/journal.ts";

export { journalFolder } from "./stores/journal/files.ts";
export { Journal, type JournalOptions } from "./stores/journal/journal.ts";
export { type Damage, type ReadOptions, readJournal } from "./stores/journal/read-journal.ts";
export type { JournalRecord } from "./stores/journal/record.ts";
export { type RecordedStats, recordedStats } from "./stores/journal/stats.ts";

/** How hooks are opened. */
export interface OpenHooksOptions {
  /** The folder the agent works in. */
  readonly cwd: string;
  /** Where folders and secrets are looked up. Default: this process's variables. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly managedFile?: string;
  /** False: nothing is written down. Default true. */
  readonly journal?: boolean;
  /** Hears what a person should know and nothing else says: a journal that can't be written, a file that does not load. */
  readonly report?: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** The hooks of a folder, ready to decide. */
export interface OpenedHooks {
  readonly hooks: Hooks;
  readonly config: Config;
  /** Hooks that will fail for certain, each with the reason. */
  readonly failing: readonly { readonly name: string; readonly reason: string }[];
  /** Ends what hooks keep alive, and writes what is waiting. */
  close(): Promise<void>;
}

/**
 * Opens the hooks of a folder as every program of ours runs them: the configuration of all scopes, and a journal of every
 * decision.
 *
 * @throws ConfigError with everything that is wrong with the configuration.
 */
export async function openHooks(options: OpenHooksOptions): Promise<OpenedHooks> {
  const { environment, report = () => {}, journal = true } = options;
  const config = await loadConfig(options);
  const hooks = createHooks({ limits: config.limits });
  const { failing } = await applyConfig(hooks, config);
  const stop = journal
    ? new Journal({ ...(environment === undefined ? {} : { environment }), report }).follow(hooks)
    : () => {};
  return {
    hooks,
    config,
    failing,
    close: async () => {
      await hooks.close();
      stop();
    },
  };
}
