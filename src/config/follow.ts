import type { DefinedHooks } from "../core/hooks.ts";
import { internals } from "../core/internals.ts";
import { type CurrentConfig, currentConfig } from "./cache/current-config.ts";
import type { AppliedConfig } from "./combine/apply.ts";
import type { Config } from "./config.ts";
import { lookAgain } from "./inputs/inputs.ts";
import type { LoadOptions } from "./load.ts";

/** A configuration that a hook set follows while its files change. */
export interface FollowedConfig {
  /** The configuration in force. `config.broken` is set when the files are invalid. */
  readonly config: Config;
  /** Hooks that will certainly fail and why. */
  readonly failing: AppliedConfig["failing"];
  /** Looks for changes now instead of at the next event; resolves when they are in force. */
  refresh(): Promise<void>;
  /** Calls the listener with every new configuration; returns a function that removes it. */
  onChange(listener: (config: Config) => void): () => void;
  /** Removes every hook of the configuration and stops following. */
  close(): void;
}

/**
 * Gives a hook set the configuration of all scopes, limits and timeout included, and keeps it up to date: before each
 * event every file, folder and script it was made of, and what this user trusts, are looked at, and what has changed is
 * in force for that very event. New hooks come and old ones go at once, and those that stayed the same stay; runs under
 * way finish. Files that can't be used change nothing: the last good configuration stays and every decision says what is
 * wrong. Without one, in this process or stored by an earlier one, gates are closed.
 *
 * @throws the reason of `options.signal` when it is aborted before the first configuration is in force; nothing else.
 */
export async function followConfig(hooks: DefinedHooks, options: LoadOptions): Promise<FollowedConfig> {
  const { signal: _, ...later } = options;
  const set = internals(hooks);
  const listeners = new Set<(config: Config) => void>();
  let current = await currentConfig(set, options);
  let inputs = current.inputs;
  let refreshing: Promise<void> | undefined;
  let closed = false;

  const enforce = (before: Pick<CurrentConfig, "hooks">, next: CurrentConfig): void => {
    const { limits, timeout } = next.config;
    set.replace(before.hooks, next.hooks);
    hooks.configure({ limits, timeout });
  };
  const reload = async (): Promise<void> => {
    try {
      const next = await currentConfig(set, later, current);
      if (closed) return;
      enforce(current, next);
      current = next;
      inputs = next.inputs;
      for (const listener of listeners) listener(next.config);
    } finally {
      refreshing = undefined;
    }
  };
  const look = (): Promise<void> | undefined => {
    if (refreshing !== undefined || closed) return refreshing;
    const now = inputs.map(lookAgain);
    const { known_events: known } = current;
    const changed =
      (known !== undefined && known !== set.events().size) ||
      now.some(({ value }, index) => value !== inputs[index]?.value);
    if (!changed) inputs = now;
    else refreshing = reload();
    return refreshing;
  };
  // A reload that is under way may have looked before what this event has to meet was written.
  const refresh = (): Promise<void> | undefined => refreshing?.then(look) ?? look();

  enforce({ hooks: [] }, current);
  const end = set.before(refresh);
  return {
    get config() {
      return current.config;
    },
    get failing() {
      return current.failing;
    },
    refresh: async () => refresh(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      if (closed) return;
      closed = true;
      end();
      set.replace(current.hooks, []);
      hooks.configure({});
    },
  };
}
