import { invalidOption } from "../core/base/errors.ts";
import type { DefinedHooks, Hooks } from "../core/hooks.ts";
import type { Plugin } from "../core/registration/plugin.ts";
import { checkPlugin } from "./callable-plugin.ts";

/**
 * Checks plug-ins, and returns a function that adds their hooks to a set, once.
 *
 * @throws TenterhookError for what is no plug-in, and for a set of `tenterhook/core`, which has no `use`.
 */
export function usePlugins(hooks: Hooks, plugins: readonly Plugin[]): () => Promise<unknown> {
  if (!isDefined(hooks))
    throw invalidOption('new Agent: plugins need a hook set made by createHooks of "tenterhook".');
  for (const plugin of plugins) checkPlugin(plugin);
  let used: Promise<unknown> | undefined;
  return () => {
    used ??= hooks.use(...plugins);
    return used;
  };
}

function isDefined(hooks: Hooks): hooks is DefinedHooks {
  return "use" in hooks && typeof hooks.use === "function";
}
