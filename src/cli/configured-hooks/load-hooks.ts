import { allAdapters } from "../../adapters/agents.ts";
import { declareEvents } from "../../adapters/declare-events.ts";
import { applyConfig } from "../../config/combine/apply.ts";
import { openConfig, withFallBack } from "../../config/open.ts";
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
  return applied(await loadConfig({ cwd: folder, environment, signal }));
}

/** What decides calls in a folder now: of files that can't be used, their last good content. Records nothing. */
export async function loadInForce({ cwd, environment, signal }: Place, folder = cwd): Promise<LoadedHooks> {
  const options = { cwd: folder, environment, signal };
  return withFallBack(options, await openConfig(options), ({ config }) => applied(config));
}

async function applied(config: Config): Promise<LoadedHooks> {
  const { limits, timeout } = config;
  const hooks = createHooks({ limits, timeout });
  declareEvents(hooks, await allAdapters());
  const { failing } = await applyConfig(hooks, config);
  return { hooks, config, failing };
}
