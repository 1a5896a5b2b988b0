import type { HookInternals } from "../../core/internals.ts";
import { type PreparedConfig, prepareConfig } from "../combine/apply.ts";
import type { LoadOptions } from "../load.ts";
import { type Opened, openConfig, storeOpened, withFallBack } from "../open.ts";

/** A configuration whose hooks are made ready for a set. */
export interface CurrentConfig extends PreparedConfig, Pick<Opened, "config" | "inputs"> {}

/**
 * Finds the configuration and prepares its hooks, without adding any. Hooks that the set refuses count as files that
 * can't be read: the last good configuration stays in force, and when the set refuses that too, none, with every gate
 * closed.
 *
 * @param before what was prepared before: hooks that stayed the same are not made again.
 */
export async function currentConfig(
  set: HookInternals,
  options: LoadOptions,
  before?: Pick<CurrentConfig, "made">,
): Promise<CurrentConfig> {
  const opened = await openConfig(options);
  return withFallBack(options, opened, async (one) => {
    const prepared = await prepareConfig(set, one.config, before?.made);
    const config = one === opened ? await storeOpened(options, one) : one.config;
    return { ...prepared, config, inputs: one.inputs };
  });
}
