import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { CustomEventsOf } from "../core/events/custom-events.ts";
import type { DefinedHooks, Hooks } from "../core/hooks.ts";
import { type DefinitionPort, internals } from "../core/internals.ts";
import type { HookDefinition } from "../core/registration/hook-definition.ts";
import type { PackName, Plugin } from "../core/registration/plugin.ts";
import type { HandlerPorts } from "./handler.ts";

/** Gives a hook set its handlers, which are loaded with the first hook that needs them. */
export function defineHooks<Events extends CustomEventsOf<Events>>(
  hooks: Hooks<Events>,
  ports: HandlerPorts,
): DefinedHooks<Events> {
  const used = new Set<string | Plugin>();
  const here = (): DefinitionSite => ({ root: process.cwd() });
  const set = internals(hooks);
  const definitions: DefinitionPort = {
    prepare: async (definition, site) => {
      const { readyDefinition } = await import("./definition.ts");
      const prepare = await readyDefinition(definition, site, ports);
      return prepare(set);
    },
    handles: async (type) => {
      const { handlerTypeOf } = await import("../core/registration/handler-types.ts");
      return handlerTypeOf({ type }) !== undefined;
    },
  };
  set.definitions = definitions;
  return Object.assign(hooks, {
    add: async (definition: HookDefinition, site = here()) => {
      const hook = await definitions.prepare(definition, site);
      set.replace([], [hook]);
      return () => set.replace([hook], []);
    },
    use: async (...given: readonly (PackName | Plugin)[]) => {
      const { readyPack, readyPlugin } = await import("./definition.ts");
      const needed = given.flatMap((one) => (typeof one === "string" ? [one] : [...(one.packs ?? []), one]));
      const ready = await Promise.all(
        needed.map(async (name) => ({
          name,
          hooks: await (typeof name === "string"
            ? readyPack(name, here(), ports)
            : readyPlugin(name, here(), ports)),
        })),
      );
      // From here on nothing waits: no event meets half a pack, and no other call adds the same one in between.
      const added: (() => void)[] = [];
      for (const { name, hooks: prepares } of ready) {
        if (used.has(name)) continue;
        const prepared = prepares.map((prepare) => prepare(set));
        set.replace([], prepared);
        used.add(name);
        added.push(() => {
          used.delete(name);
          set.replace(prepared, []);
        });
      }
      return () => {
        for (const off of added.splice(0)) off();
      };
    },
  });
}
