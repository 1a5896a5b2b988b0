import { declareEvents } from "../../adapters/declare-events.ts";
import { applyConfig, type Config, loadConfig } from "../../config.ts";
import { createHooks, type Hooks } from "../../index.ts";
import { ADAPTERS } from "../bridges/agents.ts";
import type { Invocation } from "../command-line/command.ts";

/** The hooks of a folder as its files say now. */
export interface LoadedHooks {
  readonly hooks: Hooks;
  readonly config: Config;
  /** Hooks that will fail for certain, each with the reason. */
  readonly failing: readonly { readonly name: string; readonly reason: string }[];
}

/** How the hooks of a folder are loaded. */
export interface LoadHooksOptions {
  /** Default: the working folder. */
  readonly folder?: string;
}

/**
 * Loads the hooks of a folder. Nothing is recorded.
 *
 * @throws ConfigError with everything that is wrong: who asks wants to know, and no last good configuration stands in.
 */
export async function loadHooks(
  { cwd, environment, signal }: Invocation,
  { folder = cwd }: LoadHooksOptions = {},
): Promise<LoadedHooks> {
  const config = await loadConfig({ cwd: folder, environment, signal });
  const { limits, timeout } = config;
  const hooks = createHooks({ limits, ...(timeout === undefined ? {} : { timeout }) });
  declareEvents(hooks, ADAPTERS);
  const { failing } = await applyConfig(hooks, config);
  return { hooks, config, failing };
}
