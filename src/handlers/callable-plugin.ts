import { checkKeys } from "../core/base/check-options.ts";
import { invalidOption } from "../core/base/errors.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { DefinedHooks, Hooks } from "../core/hooks.ts";
import type { HookContext } from "../core/ports.ts";
import type { Plugin } from "../core/registration/plugin.ts";

/** A plug-in as a hook. It is typed as one without outcomes: the engine checks them, event by event. */
export type PluginFunction = (event: AnyEvent, context: HookContext) => Promise<undefined>;

/**
 * A plug-in that is also a hook function: called with an event, it decides by all of its hooks. So a configuration can name its
 * file as a module.
 */
export function callablePlugin(plugin: Plugin, makeHooks: () => DefinedHooks): Plugin & PluginFunction {
  checkPlugin(plugin);
  let ready: Promise<DefinedHooks> | undefined;
  const made = async (): Promise<DefinedHooks> => {
    const hooks = makeHooks();
    await hooks.use(plugin);
    return hooks;
  };
  const decide: PluginFunction = async (event, { signal, values }) => {
    ready ??= made();
    const { outcomesOf } = await import("./decision-outcomes.ts");
    const decision = await (await ready).fireUntyped(event, { signal, values });
    return outcomesOf(decision, event.hook_event_name) as never;
  };
  // A function has a name, which can't be assigned.
  return Object.defineProperties(decide, Object.getOwnPropertyDescriptors(plugin)) as Plugin & PluginFunction;
}

const KEYS = ["name", "hooks", "rules", "tools", "packs"];

/**
 * Refuses what is no plug-in: a misspelt key would guard nothing.
 *
 * @throws TenterhookError `unknown_option`, `invalid_option`.
 */
export function checkPlugin(plugin: Plugin): void {
  const { name } = plugin;
  if (typeof name !== "string" || name === "")
    throw invalidOption("A plug-in needs a name: definePlugin({ name, hooks }).");
  const place = placeOf(plugin);
  checkKeys({ ...plugin }, KEYS, place);
  for (const key of ["hooks", "tools", "packs"] as const)
    if (plugin[key] !== undefined && !Array.isArray(plugin[key]))
      throw invalidOption(`${place}: ${key} must be a list.`);
  if (plugin.rules !== undefined && typeof plugin.rules !== "string")
    throw invalidOption(`${place}: rules must be a string with one rule a line.`);
}

/** How errors name a plug-in. */
export function placeOf({ name }: Plugin): string {
  return `Plug-in ${JSON.stringify(name)}`;
}

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
