import { isTenterhookError } from "../core/errors.ts";
import type { Origin } from "../core/hook.ts";
import type { Config } from "./config.ts";
import { ConfigError, type Problem } from "./problem.ts";
import type { Definition } from "./schema/definition.ts";

/** An inline definition ready to be added. */
export type InlineHook = Extract<Definition, { readonly type: "inline" }> & { readonly origin: Origin };

/** The part of a hook set that a configuration is added to; made by `createHooks` of `tenterhook`. */
export interface HookTarget {
  add(definition: InlineHook): Promise<() => void>;
}

/** What became of a configuration. */
export interface AppliedConfig {
  /** Hooks that are not in the set, each with the reason. Whoever gates on them must not take them for granted. */
  readonly notApplied: readonly { readonly name: string; readonly reason: string }[];
  /** Takes every hook of the configuration out again. */
  readonly remove: () => void;
}

/**
 * Adds the hooks of a configuration to a hook set, each with its origin; disabled ones are added disabled. Limits and
 * timeout are given to the set when it is made: `createHooks({ limits: config.limits })`.
 *
 * @throws ConfigError `config_invalid` with every hook the set refuses; then nothing was added.
 */
export async function applyConfig(hooks: HookTarget, config: Config): Promise<AppliedConfig> {
  const added: (() => void)[] = [];
  const remove = (): void => {
    for (const off of added.splice(0)) off();
  };
  const problems: Problem[] = [];
  const notApplied: { name: string; reason: string }[] = [];
  for (const { name, definition, enabled, timeout, origin } of config.definitions) {
    if (definition.type !== "inline") {
      notApplied.push({ name, reason: `Hooks of the type ${definition.type} can't run yet.` });
      continue;
    }
    const seconds = timeout === undefined ? {} : { timeout };
    try {
      added.push(await hooks.add({ ...definition, ...seconds, name, enabled, origin }));
    } catch (error) {
      if (!isTenterhookError(error)) {
        remove();
        throw error;
      }
      const { file, line } = origin;
      problems.push({ code: "config_invalid", file, line, message: error.message });
    }
  }
  if (problems.length > 0) {
    remove();
    throw new ConfigError(problems);
  }
  return { notApplied, remove };
}
