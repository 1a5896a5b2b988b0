import { atPlace, isTenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { HookDefinition } from "../core/registration/hook-definition.ts";
import type { Plugin, PluginHook } from "../core/registration/plugin.ts";
import { checkPlugin, placeOf } from "./callable-plugin.ts";
import { readyDefinition } from "./definition.ts";
import type { HandlerPorts } from "./handler.ts";
import type { Prepare } from "./ready-hook.ts";

/**
 * Makes the hooks of a plug-in ready, without its packs.
 *
 * @throws TenterhookError that names the plug-in, the hook and what is wrong with it.
 */
export function readyPlugin(
  plugin: Plugin,
  site: DefinitionSite,
  ports: HandlerPorts,
): Promise<readonly Prepare[]> {
  checkPlugin(plugin);
  const { name: of, hooks = [], rules } = plugin;
  const all: readonly (PluginHook | HookDefinition)[] =
    rules === undefined
      ? hooks
      : [...hooks, { name: "rules", type: "inline", matcher: { events: "PreToolUse" }, rules }];
  return Promise.all(
    all.map(async (one): Promise<Prepare> => {
      if (!isFunctionHook(one))
        return readyDefinition({ ...one, name: `${of}/${one.name}` }, site, ports).catch((error: unknown) => {
          throw isTenterhookError(error) ? atPlace(error, placeOf(plugin)) : error;
        });
      const { events, options, run } = one;
      const name = `${of}/${options.name ?? [events].flat()[0]}`;
      return (set) => set.prepare(events, { ...options, name }, { type: "function", run });
    }),
  );
}

function isFunctionHook(value: unknown): value is PluginHook {
  return isRecord(value) && typeof value.run === "function";
}
