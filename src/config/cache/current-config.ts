import type { HookInternals } from "../../core/internals.ts";
import { type PreparedConfig, prepareConfig } from "../combine/apply.ts";
import type { Unit } from "../find/unit.ts";
import type { LoadOptions } from "../load.ts";
import { goodUnits, type Opened, openConfig, storeOpened, withFallBack } from "../open.ts";

/** A configuration whose hooks are made ready for a set. */
export interface CurrentConfig extends PreparedConfig, Pick<Opened, "config" | "inputs"> {
  /** The content of the files when they could last be used. */
  readonly good?: readonly Unit[];
}

/**
 * Finds the configuration and prepares its hooks, without adding any. Hooks that the set refuses count as files that
 * can't be read: the last good configuration stays in force, and when the set refuses that too, none, with every gate
 * closed.
 */
export async function currentConfig(
  set: HookInternals,
  options: LoadOptions,
  before?: Pick<CurrentConfig, "good" | "made">,
): Promise<CurrentConfig> {
  const prepared = async (opened: Opened, good: readonly Unit[] | undefined): Promise<CurrentConfig> => ({
    ...(await prepareConfig(set, opened.config, before?.made)),
    config: opened.config,
    inputs: opened.inputs,
    good,
  });
  const opened = await openConfig(options, before?.good);
  return withFallBack(options, opened, before?.good, async (one) => {
    if (one !== opened) return prepared(one, before?.good);
    const current = await prepared(one, goodUnits(one, options) ?? before?.good);
    return { ...current, config: await storeOpened(options, one) };
  });
}
