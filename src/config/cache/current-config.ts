import { type HookTarget, type PreparedConfig, prepareConfig } from "../combine/apply.ts";
import type { Unit } from "../combine/unit.ts";
import { Inputs } from "../find/inputs.ts";
import type { LoadOptions } from "../load.ts";
import { fallBack, goodUnits, keepOpened, type Opened, openConfig, problemsFrom } from "../open.ts";
import type { Problem } from "../parse/problem.ts";

/** A configuration whose hooks are made ready for a set. */
export interface Standing extends PreparedConfig, Pick<Opened, "config" | "inputs" | "kept"> {
  /** What the files said when they could last be used. */
  readonly good?: readonly Unit[];
}

/**
 * Finds the configuration and makes its hooks ready, without adding any. What the set refuses is as bad as what can't be
 * read: then the last good one stands, and when the set refuses that too, none, with every gate closed.
 */
export async function standingConfig(
  hooks: HookTarget,
  options: LoadOptions,
  before?: Pick<Standing, "good" | "made">,
): Promise<Standing> {
  const ready = async (opened: Opened, good: readonly Unit[] | undefined): Promise<Standing> => ({
    ...(await prepareConfig(hooks, opened.config, before?.made)),
    config: opened.config,
    inputs: opened.inputs,
    ...(good === undefined ? {} : { good }),
  });
  const opened = await openConfig(options, before?.good);
  const problems: Problem[] = [...(opened.config.broken?.problems ?? [])];
  const attempts: readonly (() => Promise<Standing>)[] = [
    async () => {
      const standing = await ready(opened, goodUnits(opened, options) ?? before?.good);
      const { config, kept } = await keepOpened(options, opened);
      return { ...standing, config, ...(kept === undefined ? {} : { kept }) };
    },
    async () => {
      const fallen = await fallBack(options, problems, new Inputs(opened.inputs), before?.good);
      return ready(fallen, before?.good);
    },
  ];
  for (const attempt of attempts) {
    try {
      return await attempt();
    } catch (error) {
      problems.push(...problemsFrom(error, options));
    }
  }
  return ready(await fallBack(options, problems, new Inputs(opened.inputs), "none"), before?.good);
}
