import { applyConfig, type Config, loadConfig } from "../../config.ts";
import type { EventDeclaration } from "../../core/event-catalogue.ts";
import type { OwnEventName } from "../../core/events.ts";
import { createHooks, type Hooks } from "../../index.ts";
import type { Invocation } from "../command.ts";

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
  /** Events that only one agent has, to be known before hooks are added. */
  readonly declarations?: Readonly<Record<OwnEventName, EventDeclaration>>;
}

/**
 * Loads the hooks of a folder. Nothing is recorded.
 *
 * @throws ConfigError with everything that is wrong: who asks wants to know, and no last good configuration stands in.
 */
export async function loadHooks(
  { cwd, environment, signal }: Invocation,
  { folder = cwd, declarations = {} }: LoadHooksOptions = {},
): Promise<LoadedHooks> {
  const config = await loadConfig({ cwd: folder, environment, signal });
  const { limits, timeout } = config;
  const hooks = createHooks({ limits, ...(timeout === undefined ? {} : { timeout }) });
  for (const [name, declaration] of Object.entries(declarations))
    if (isOwnEvent(name)) hooks.declare(name, declaration);
  const { failing } = await applyConfig(hooks, config);
  return { hooks, config, failing };
}

function isOwnEvent(name: string): name is OwnEventName {
  return name.includes(":");
}
