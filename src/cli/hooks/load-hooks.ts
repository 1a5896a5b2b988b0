import { applyConfig, type Config, loadConfig } from "../../config.ts";
import { createHooks, type Hooks } from "../../index.ts";
import type { Invocation } from "../command.ts";

/** The hooks of a folder as its files say now. */
export interface LoadedHooks {
  readonly hooks: Hooks;
  readonly config: Config;
  /** Hooks that will fail for certain, each with the reason. */
  readonly failing: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * Loads the hooks of a folder, by default the working one. Nothing is recorded.
 *
 * @throws ConfigError with everything that is wrong: who asks wants to know, and no last good configuration stands in.
 */
export async function loadHooks(
  { cwd, environment, signal }: Invocation,
  folder = cwd,
): Promise<LoadedHooks> {
  const config = await loadConfig({ cwd: folder, environment, signal });
  const { limits, timeout } = config;
  const hooks = createHooks({ limits, ...(timeout === undefined ? {} : { timeout }) });
  const { failing } = await applyConfig(hooks, config);
  return { hooks, config, failing };
}
