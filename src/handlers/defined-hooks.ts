import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { Hooks } from "../core/hooks.ts";
import type { HandlerPorts } from "./handler.ts";
import type { DefinedHooks, HookDefinition } from "./hook-definition.ts";

/** Gives a hook set its handlers, which are loaded with the first hook that needs them. */
export function defineHooks(hooks: Hooks, ports: HandlerPorts): DefinedHooks {
  const used = new Set<string>();
  const here = (): DefinitionSite => ({ root: process.cwd() });
  const prepareDefinition: DefinedHooks["prepareDefinition"] = async (definition, site = here()) => {
    const { readyDefinition } = await import("./definition.ts");
    const prepare = await readyDefinition(definition, site, ports);
    return prepare(hooks);
  };
  return Object.assign(hooks, {
    add: async (definition: HookDefinition, site = here()) => {
      const hook = await prepareDefinition(definition, site);
      hooks.replace([], [hook]);
      return () => hooks.replace([hook], []);
    },
    prepareDefinition,
    handles: async (type: string) => {
      const { handlerTypeOf } = await import("../core/registration/handler-types.ts");
      return handlerTypeOf({ type }) !== undefined;
    },
    use: async (...packs: readonly string[]) => {
      const { readyPack } = await import("./definition.ts");
      const ready = await Promise.all(
        packs.map(async (name) => ({ name, hooks: await readyPack(name, here(), ports) })),
      );
      // From here on nothing waits: no event meets half a pack, and no other call adds the same one in between.
      const added: (() => void)[] = [];
      for (const { name, hooks: prepares } of ready) {
        if (used.has(name)) continue;
        const prepared = prepares.map((prepare) => prepare(hooks));
        hooks.replace([], prepared);
        used.add(name);
        added.push(() => {
          used.delete(name);
          hooks.replace(prepared, []);
        });
      }
      return () => {
        for (const off of added.splice(0)) off();
      };
    },
  });
}
