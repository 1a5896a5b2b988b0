import type { Hooks } from "../core/hooks.ts";
import type { RulePorts } from "../rules/subject.ts";
import type { HookDefinition } from "./definition.ts";

/** What a hook set can do once it knows the handlers that files name. */
export interface DefinedHooks extends Hooks {
  /**
   * Adds a hook as a configuration file holds it: `{ name, type: "inline", matcher: { events, … }, rules, … }`.
   *
   * @returns a function that removes it again; both take effect at the next event.
   * @throws TenterhookError that names the hook and what is wrong with it.
   */
  add(definition: HookDefinition): Promise<() => void>;
  /**
   * Adds packs that ship with the package: `safe-shell`, `protect-secrets`, `git-safety`, `no-network`. A pack that is
   * there already is not added twice.
   *
   * @throws TenterhookError `unknown_pack` with the nearest name.
   */
  use(...packs: readonly string[]): Promise<void>;
}

/** Gives a hook set its handlers. They are loaded with the first hook that needs them. */
export function defineHooks(hooks: Hooks, ports: RulePorts): DefinedHooks {
  const used = new Map<string, Promise<() => void>>();
  const usePack = async (name: string): Promise<() => void> => {
    const { addPack } = await import("./definitions.ts");
    return addPack(hooks, name, ports);
  };
  return Object.assign(hooks, {
    add: async (definition: HookDefinition) => {
      const { addDefinition } = await import("./definitions.ts");
      return addDefinition(hooks, definition, ports);
    },
    use: async (...packs: readonly string[]) => {
      for (const name of packs) {
        const adding = used.get(name) ?? usePack(name);
        used.set(name, adding);
        await adding.catch((error: unknown) => {
          used.delete(name);
          throw error;
        });
      }
    },
  });
}
