import { TenterhookError } from "../core/errors.ts";
import type { Hooks } from "../core/hooks.ts";
import { didYouMean } from "../core/suggest.ts";
import { PACKS } from "../rules/packs/packs.ts";
import type { RulePorts } from "../rules/subject.ts";
import { addDefinition } from "./definition.ts";

/**
 * Adds all hooks of a shipped pack.
 *
 * @returns a function that removes them again.
 * @throws TenterhookError `unknown_pack` with the nearest name; whatever fails, nothing was added.
 */
export async function addPack(hooks: Hooks, name: string, ports: RulePorts): Promise<() => void> {
  const pack = PACKS.get(name);
  if (pack === undefined) {
    throw new TenterhookError(
      "unknown_pack",
      `There is no pack ${JSON.stringify(name)}.${didYouMean(name, PACKS.keys())}`,
      {
        hint: `Packs that ship: ${[...PACKS.keys()].join(", ")}.`,
      },
    );
  }
  const added: (() => void)[] = [];
  const remove = (): void => {
    for (const off of added) off();
  };
  try {
    for (const definition of pack.definitions) added.push(await addDefinition(hooks, definition, ports));
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
