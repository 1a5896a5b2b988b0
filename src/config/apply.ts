import { isTenterhookError } from "../core/errors.ts";
import type { Origin } from "../core/hook.ts";
import { HookFailureError } from "../core/hook-failure-error.ts";
import type { Hooks } from "../core/hooks.ts";
import { SETTING_NAMES } from "../core/registered-hook.ts";
import type { Config } from "./config.ts";
import { ConfigError, type Problem } from "./problem.ts";
import type { Definition } from "./schema/definition.ts";

/** An inline definition ready to be added. */
export type InlineHook = Extract<Definition, { readonly type: "inline" }> & { readonly origin: Origin };

/** The part of a hook set that a configuration is added to; made by `createHooks` of `tenterhook`. */
export interface HookTarget {
  add(definition: InlineHook): Promise<() => void>;
  readonly register: Hooks["register"];
}

/** What became of a configuration. */
export interface AppliedConfig {
  /** Hooks that will fail for certain, each with the reason: on a gate they refuse, as their `on_failure` says. */
  readonly failing: readonly { readonly name: string; readonly reason: string }[];
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
  const failing: { name: string; reason: string }[] = [];
  for (const { name, definition, enabled, timeout, origin } of config.definitions) {
    const settings = { ...(timeout === undefined ? {} : { timeout }), name, enabled, origin };
    try {
      if (definition.type === "inline") {
        added.push(await hooks.add({ ...definition, ...settings }));
      } else {
        const reason = `Hooks of the type ${definition.type ?? "all, any or first"} can't run yet.`;
        failing.push({ name, reason });
        added.push(addFailing(hooks, { ...definition, ...settings }, reason));
      }
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
  return { failing, remove };
}

/** A hook that can't run is there all the same, and fails: a gate that is missing must not be an open one. */
function addFailing(hooks: HookTarget, definition: Definition, reason: string): () => void {
  const { events, ...matcher } = definition.matcher;
  const settings = Object.entries(definition).filter(([key]) => SETTING_NAMES.includes(key));
  return hooks.register(
    events,
    { ...Object.fromEntries(settings), matcher },
    {
      type: definition.type ?? "composition",
      run: () => {
        throw new HookFailureError("missing", reason);
      },
    },
  );
}
