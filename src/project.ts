/** Hooks as our programs run them: configuration that is followed, and a journal of every decision. */

import { allAdapters } from "./adapters/agents.ts";
import { declareEvents } from "./adapters/declare-events.ts";
import { type Config, type FollowedConfig, followConfig, problemText } from "./config.ts";
import { createHooks, type Hooks } from "./index.ts";
import { Journal } from "./journal/journal.ts";

export { journalFolder } from "./journal/files.ts";
export { Journal, type JournalOptions } from "./journal/journal.ts";
export { type Damage, type ReadOptions, readJournal } from "./journal/read-journal.ts";
export type { JournalRecord } from "./journal/record.ts";
export { type RecordedStats, recordedStats } from "./journal/stats.ts";

/** How hooks are opened. */
export interface OpenHooksOptions {
  /** The folder the agent works in. */
  readonly cwd: string;
  /** Where folders and secrets are looked up. Default: this process's variables. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Default `/etc/tenterhook/hooks.yaml`. */
  readonly managedFile?: string;
  /** False: nothing is written down. Default true. */
  readonly journal?: boolean;
  /** Hears what a person should know and no decision says: files that can't be used, a journal that can't be written. */
  readonly report?: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** The hooks of a folder, ready to decide. */
export interface OpenedHooks extends Pick<FollowedConfig, "config" | "failing" | "refresh" | "onChange"> {
  readonly hooks: Hooks;
  /** Waits for async hooks, ends what hooks keep alive, and writes what is pending. */
  close(): Promise<void>;
}

/**
 * Opens the hooks of a folder as every program of ours runs them: the configuration of all scopes, in force as its files
 * change, and a journal of every decision. Files that can't be used do not make it throw: see {@link followConfig}.
 *
 * @throws the reason of `options.signal` when it is aborted first.
 */
export async function openHooks(options: OpenHooksOptions): Promise<OpenedHooks> {
  const { journal: isRecorded = true, report = () => {}, ...places } = options;
  const hooks = createHooks();
  // A file may have hooks on events that only another agent has.
  declareEvents(hooks, await allAdapters());
  const followed = await followConfig(hooks, places);
  const tell = ({ broken }: Config): void => {
    if (broken !== undefined) report(broken.problems.map(problemText).join("\n"));
  };
  tell(followed.config);
  followed.onChange(tell);
  const { environment } = places;
  const journal = new Journal({ environment, report });
  const endJournal = isRecorded ? journal.follow(hooks) : () => {};
  return {
    hooks,
    get config() {
      return followed.config;
    },
    get failing() {
      return followed.failing;
    },
    refresh: () => followed.refresh(),
    onChange: (listener) => followed.onChange(listener),
    close: async () => {
      await hooks.settled();
      followed.close();
      await hooks.close();
      endJournal();
    },
  };
}
