import { atPlace, isTenterhookError, TenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import { didYouMean } from "../core/base/suggest.ts";
import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { HookDefinition, WrittenDefinition } from "../core/registration/hook-definition.ts";
import type { Plugin, PluginHook } from "../core/registration/plugin.ts";
import type { Pack } from "../rules/packs/pack.ts";
import { PACKS } from "../rules/packs/packs.ts";
import { checkPlugin, placeOf } from "./callable-plugin.ts";
import type { HandlerPorts } from "./handler.ts";
import { makeHandler } from "./handler-types.ts";
import { type Prepare, readyHook } from "./ready-hook.ts";

/**
 * Makes a hook of any type ready as a configuration file holds it.
 *
 * @throws TenterhookError that names the hook and what is wrong with it.
 */
export function readyDefinition(
  definition: WrittenDefinition,
  site: DefinitionSite,
  ports: HandlerPorts,
): Promise<Prepare> {
  return readyHook(definition, site, ports, makeHandler);
}

/**
 * Makes all hooks of a shipped pack ready.
 *
 * @throws TenterhookError `unknown_pack` with the nearest name.
 */
export async function readyPack(
  name: string,
  site: DefinitionSite,
  ports: HandlerPorts,
): Promise<readonly Prepare[]> {
  return Promise.all(
    packNamed(name).definitions.map(({ rows: _, ...definition }) => readyDefinition(definition, site, ports)),
  );
}

function packNamed(name: string): Pack {
  const pack = PACKS.get(name);
  if (pack !== undefined) return pack;
  const names = [...PACKS.keys()];
  throw new TenterhookError(
    "unknown_pack",
    `There is no pack ${JSON.stringify(name)}.${didYouMean(name, names)}`,
    {
      hint: `Packs that ship: ${names.join(", ")}.`,
    },
  );
}

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
