import { TenterhookError } from "../core/base/errors.ts";
import { didYouMean } from "../core/base/suggest.ts";
import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import type { WrittenDefinition } from "../core/registration/hook-definition.ts";
import type { Pack } from "../rules/packs/pack.ts";
import { PACKS } from "../rules/packs/packs.ts";
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
