import { allAdapters } from "../../adapters/agents.ts";
import { declareEvents } from "../../adapters/declare-events.ts";
import { applyConfig } from "../../config/combine/apply.ts";
import { type Config, loadConfig } from "../../config.ts";
import { createHooks, type Hooks } from "../../index.ts";
import type { Invocation } from "../command-line/command.ts";

/** A folder, and the user whose configuration counts there. */
export type Place = Pick<Invocation, "cwd" | "environment" | "signal">;

export interface LoadedHooks {
  readonly hooks: Hooks;
  readonly config: Config;
  /** Hooks that will certainly fail, with the reason. */
  readonly failing: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Loads the hooks of a folder. Records nothing.
 *
 * @throws ConfigError with all problems; never falls back to the last good configuration.
 */
export async function loadHooks({ cwd, environment, signal }: Place, folder = cwd): Promise<LoadedHooks> {
  const config = await loadConfig({ cwd: folder, environment, signal });
  const { limits, timeout } = config;
  const hooks = createHooks({ limits, ...(timeout === undefined ? {} : { timeout }) });
  declareEvents(hooks, await allAdapters());
  const { failing } = await applyConfig(hooks, config);
  return { hooks, config, failing };
}
