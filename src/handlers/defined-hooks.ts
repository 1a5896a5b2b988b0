import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { Hooks } from "../core/hooks.ts";
import type { PreparedHook } from "../core/registration/registered-hook.ts";
import type { HandlerPorts } from "./handler.ts";
import type { HookDefinition } from "./ready-hook.ts";

/** What a hook set can do once it knows the handlers that files name. */
export interface DefinedHooks extends Hooks {
  /**
   * Adds a hook as a configuration file holds it: `{ name, type: "inline", matcher: { events, … }, rules, … }`. Scripts
   * and relative commands start from `site.root`, by default the folder this process works in.
   *
   * @returns a function that removes it again; both take effect at the next event.
   * @throws TenterhookError that names the hook and what is wrong with it.
   */
  add(definition: HookDefinition, site?: DefinitionSite): Promise<() => void>;
  /**
   * Makes a hook of a definition ready without adding it; give it to `replace`.
   *
   * @throws TenterhookError as `add` does, but for a name that is taken.
   */
  prepareDefinition(definition: HookDefinition, site?: DefinitionSite): Promise<PreparedHook>;
  /** True when this set has the handler that definitions of this type need. */
  handles(type: string): Promise<boolean>;
  /**
   * Adds packs that ship with the package: `safe-shell`, `protect-secrets`, `git-safety`, `no-network`. All of them or,
   * when one can't be had, none. A pack that is there already is not added twice.
   *
   * @returns a function that removes what this call added.
   * @throws TenterhookError `unknown_pack` with the nearest name.
   */
  use(...packs: readonly string[]): Promise<() => void>;
}

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
