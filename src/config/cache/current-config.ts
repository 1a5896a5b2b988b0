import type { HookInternals } from "../../core/internals.ts";
import { type PreparedConfig, prepareConfig } from "../combine/apply.ts";
import type { Unit } from "../find/unit.ts";
import { Inputs } from "../inputs/inputs.ts";
import type { LoadOptions } from "../load.ts";
import { fallBack, goodUnits, type Opened, openConfig, problemsFrom, storeOpened } from "../open.ts";
import type { Problem } from "../parse/problem.ts";

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
    ...(good === undefined ? {} : { good }),
  });
  const opened = await openConfig(options, before?.good);
  const problems: Problem[] = [...(opened.config.broken?.problems ?? [])];
  try {
    const current = await prepared(opened, goodUnits(opened, options) ?? before?.good);
    return { ...current, config: await storeOpened(options, opened) };
  } catch (error) {
    problems.push(...problemsFrom(error, options));
  }
  try {
    const fallen = await fallBack(options, problems, new Inputs(opened.inputs), before?.good);
    return await prepared(fallen, before?.good);
  } catch (error) {
    problems.push(...problemsFrom(error, options));
  }
  return prepared(await fallBack(options, problems, new Inputs(opened.inputs), "none"), before?.good);
}
