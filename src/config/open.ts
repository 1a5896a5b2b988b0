import { type Compiled, readCompiled, writeCompiled } from "./cache/compiled.ts";
import { type KeptUnit, readLastGood, writeLastGood } from "./cache/last-good.ts";
import { effectiveConfig } from "./combine/apply-scopes-and-trust.ts";
import { lastGoodConfig, withLastGood } from "./combine/last-good-units.ts";
import type { Unit } from "./combine/unit.ts";
import type { Config } from "./config.ts";
import { Inputs } from "./find/inputs.ts";
import type { LoadOptions } from "./load.ts";
import { ConfigError, type Problem, type Warning } from "./parse/problem.ts";

/** The configuration in force, even if its files are invalid. */
export interface Opened extends Pick<Compiled, "config" | "inputs"> {
  /** What is in force before trust, as a later fallback; absent when it came from the cache or is incomplete. */
  readonly good?: readonly Unit[];
  /** The units that were read now and are valid. */
  readonly read: readonly Unit[];
  /** The sources of a configuration that came from the cache. */
  readonly kept?: readonly KeptUnit[];
}

/**
 * Loads the configuration as `loadConfig` does, but from the compiled cache when everything it was made of is still the
 * same, which takes a small part of the time: the way for a process that decides one event. Files that can't be used do
 * not make it throw: what they said when they last could is in force, beside the files that can be used, and
 * `config.broken` says so; with nothing to fall back to the configuration, once applied, keeps every gate closed.
 */
export async function loadConfigCached(options: LoadOptions): Promise<Config> {
  return (await keepOpened(options, await openConfig(options))).config;
}

/**
 * Finds the configuration in the cache, in its files, or among what was good before, in this process or an earlier one.
 * Nothing is written.
 */
export async function openConfig(options: LoadOptions, before?: readonly Unit[]): Promise<Opened> {
  const compiled = readCompiled(options);
  if (compiled !== undefined) return { ...compiled, read: [] };
  const inputs = new Inputs();
  try {
    const { readUnits } = await import("./combine/read-config.ts");
    const found = await readUnits(options, inputs, options.signal);
    const { units, problems, isKnown } = withLastGood(found.units, options.environment, before);
    const config = effectiveConfig({ ...found, units }, options.environment, inputs);
    return {
      config: problems.length === 0 ? config : { ...config, broken: { problems, last_good: isKnown } },
      inputs: inputs.all(),
      ...(isKnown ? { good: units } : {}),
      read: units.filter((unit) => found.units.some((one) => one === unit)),
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    return fallBack(options, problemsFrom(error, options), inputs, before);
  }
}

/** Keeps what was read for later processes. Answers it with a warning when it can't be kept. */
export async function keepOpened(options: LoadOptions, opened: Opened): Promise<Opened> {
  const { read, config, inputs } = opened;
  const kept: KeptUnit[] = [];
  const warnings: Warning[] = [];
  for (const unit of read) {
    const one = await writeLastGood(unit, options.environment);
    if ("seal" in one) kept.push(one);
    else warnings.push(one);
  }
  if (warnings[0] !== undefined)
    return { ...opened, config: { ...config, warnings: [...config.warnings, warnings[0]] } };
  if (read.length > 0 && config.broken === undefined) await writeCompiled(options, { config, inputs, kept });
  return opened;
}

/**
 * What was good before, in this process or an earlier one, with what is wrong now; or nothing. Trust is asked anew: what
 * has been revoked or has changed since does not come back.
 */
export async function fallBack(
  options: LoadOptions,
  problems: readonly Problem[],
  inputs: Inputs,
  before?: readonly Unit[] | "none",
): Promise<Opened> {
  const { read, isKnown } = await lastGoodConfig(options, before);
  const config = effectiveConfig(read, options.environment, inputs);
  return {
    config: { ...config, broken: { problems, last_good: isKnown } },
    inputs: inputs.all(),
    ...(isKnown ? { good: read.units } : {}),
    read: [],
  };
}

/** The sources of a configuration: as read now, or as stored with the cache. */
export function goodUnits({ good, kept }: Opened, { environment }: LoadOptions): readonly Unit[] | undefined {
  if (good !== undefined || kept === undefined) return good;
  const units = kept.flatMap((unit) => readLastGood(unit, environment) ?? []);
  return units.length === kept.length ? units : undefined;
}

/** An unexpected error is a problem too, since nothing may open a gate. */
export function problemsFrom(error: unknown, { cwd }: LoadOptions): readonly Problem[] {
  if (error instanceof ConfigError) return error.problems;
  const message = `The configuration can't be read: ${error instanceof Error ? error.message : String(error)}.`;
  return [{ code: "config_unreadable", file: cwd, message }];
}
