import { resolve } from "node:path";
import { errorMessage } from "../core/base/error-text.ts";
import { readLastGood, type StoredUnit, writeLastGood } from "./cache/last-good.ts";
import { type CachedConfig, readCachedConfig } from "./cache/read-cache.ts";
import { writeCache } from "./cache/write-cache.ts";
import { effectiveConfig } from "./combine/apply-scopes-and-trust.ts";
import type { Config } from "./config.ts";
import type { UnitPlace } from "./find/discover.ts";
import { emptyUnit, type ReadUnit, sameUnit, saysAnything, type Unit } from "./find/unit.ts";
import { Inputs } from "./inputs/inputs.ts";
import type { LoadOptions } from "./load.ts";
import { ConfigError, inOrder, type Problem } from "./parse/problem.ts";

/** The configuration in force, even if its files are invalid. */
export interface Opened extends Pick<CachedConfig, "config" | "inputs"> {
  /** What is in force before trust, as a later fallback; absent when it came from the cache or is incomplete. */
  readonly good?: readonly Unit[];
  /** The units that were read now and are valid. */
  readonly read: readonly Unit[];
  /** The stored units of a configuration that came from the cache. */
  readonly stored?: readonly StoredUnit[];
}

/**
 * Loads the configuration as `loadConfig` does, but from the compiled cache when everything it was made of is still the
 * same, which takes a small part of the time: the way for a process that decides one event. Files that can't be used do
 * not make it throw: their last usable content is in force, together with the files that can be used, and
 * `config.broken` says so; with nothing to fall back to the configuration, once applied, keeps every gate closed.
 */
export async function loadConfigCached(options: LoadOptions): Promise<Config> {
  return storeOpened(options, await openConfig(options));
}

/**
 * Finds the configuration in the cache, in its files, or among what was good before, in this process or an earlier one.
 * Nothing is written.
 */
export async function openConfig(options: LoadOptions, before?: readonly Unit[]): Promise<Opened> {
  const cached = readCachedConfig(options);
  if (cached !== undefined) return { ...cached, read: [] };
  const inputs = new Inputs();
  try {
    const { readUnits } = await import("./read/read-config.ts");
    const found = await readUnits(options, inputs, options.signal);
    const { units, problems, isKnown } = withLastGood(found.units, options.environment, before);
    const fallen = found.units.filter((unit) => !units.some((one) => one === unit)).map(({ root }) => root);
    const config = effectiveConfig({ ...found, units, fallen }, options.environment, inputs);
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

/**
 * Uses a configuration. When that finds something wrong with it, the last good one counts, and when that is wrong too, none,
 * with every gate closed.
 */
export async function withFallBack<Result>(
  options: LoadOptions,
  opened: Opened,
  before: readonly Unit[] | undefined,
  use: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const problems: Problem[] = [...(opened.config.broken?.problems ?? [])];
  const fallen = (good: readonly Unit[] | "none" | undefined) =>
    fallBack(options, problems, new Inputs(opened.inputs), good);
  try {
    return await use(opened);
  } catch (error) {
    problems.push(...problemsFrom(error, options));
  }
  try {
    return await use(await fallen(before));
  } catch (error) {
    problems.push(...problemsFrom(error, options));
  }
  return use(await fallen("none"));
}

/** Stores what was read for later processes. Returns the configuration, with a warning when it can't be stored. */
export async function storeOpened(options: LoadOptions, { read, config, inputs }: Opened): Promise<Config> {
  const results = [];
  for (const unit of read) results.push(await writeLastGood(unit, options.environment));
  const warning = results.find((result) => "message" in result);
  if (warning !== undefined) return { ...config, warnings: [...config.warnings, warning] };
  const stored = results.filter((result) => "mark" in result);
  if (read.length > 0 && config.broken === undefined) await writeCache(options, { config, inputs, stored });
  return config;
}

/**
 * What was good before, in this process or an earlier one, with what is wrong now; or nothing. Trust is checked again: what
 * has been revoked or has changed since does not come back.
 */
async function fallBack(
  options: LoadOptions,
  problems: readonly Problem[],
  inputs: Inputs,
  before?: readonly Unit[] | "none",
): Promise<Opened> {
  const { discover } = await import("./find/discover.ts");
  const found = await discover(options, new Inputs()).catch(() => undefined);
  const stored = found?.units.map((unit) => readLastGood(unit, options.environment));
  const known = stored?.every((unit) => unit !== undefined) ? stored : undefined;
  const good = before === "none" ? undefined : (before ?? known);
  const units = good ?? [];
  const start = resolve(options.cwd);
  const { cwd, root, folders } = found ?? { cwd: start, root: start, folders: [] };
  const read = { cwd, root, folders, fallen: units.map((unit) => unit.root), units, warnings: [] };
  const config = effectiveConfig(read, options.environment, inputs);
  return {
    config: { ...config, broken: { problems, last_good: good !== undefined } },
    inputs: inputs.all(),
    good,
    read: [],
  };
}

/** Replaces each invalid unit by its last good version. `isKnown`: each of them has one. */
function withLastGood(
  found: readonly ReadUnit[],
  environment: NodeJS.ProcessEnv | undefined,
  before: readonly Unit[] | undefined,
): { units: readonly Unit[]; problems: readonly Problem[]; isKnown: boolean } {
  const problems: Problem[] = [];
  let isKnown = true;
  const units = found.map((unit): Unit => {
    if (unit.problems.length === 0 && unit.blank.length === 0) return unit;
    const good = lastGood(unit, environment, before);
    const wrong = unit.problems.length > 0 ? unit.problems : emptied(unit, good);
    if (wrong.length === 0) return unit;
    problems.push(...wrong);
    if (good === undefined) isKnown = false;
    return good ?? emptyUnit(unit);
  });
  return { units, problems: inOrder(problems), isKnown };
}

function lastGood(
  place: UnitPlace,
  environment: NodeJS.ProcessEnv | undefined,
  before: readonly Unit[] | undefined,
): Unit | undefined {
  const here = before?.find((unit) => sameUnit(unit, place)) ?? readLastGood(place, environment);
  // This process has worked without these files until now.
  return here ?? (before === undefined ? undefined : emptyUnit(place));
}

/**
 * A file that held something and is empty now is more likely being written, or was cut off, than meant to say nothing:
 * who wants that can remove it, or say so.
 */
function emptied({ blank }: ReadUnit, good: Unit | undefined): readonly Problem[] {
  const files = good === undefined ? [] : blank.filter((file) => saysAnything(good.layers, file));
  return files.map((file) => ({
    code: "config_invalid",
    file,
    message:
      "The file is empty, but it was not before. To have nothing in it, remove it or write an empty hooks section.",
  }));
}

/** The units of a configuration: as they were read, or as they were stored when the cache was written. */
export function goodUnits(
  { good, stored }: Opened,
  { environment }: LoadOptions,
): readonly Unit[] | undefined {
  if (good !== undefined || stored === undefined) return good;
  const units = stored.flatMap((unit) => readLastGood(unit, environment) ?? []);
  return units.length === stored.length ? units : undefined;
}

/** An unexpected error is a problem too, since nothing may open a gate. */
function problemsFrom(error: unknown, { cwd }: LoadOptions): readonly Problem[] {
  if (error instanceof ConfigError) return error.problems;
  const message = `The configuration can't be read: ${errorMessage(error)}.`;
  return [{ code: "config_unreadable", file: cwd, message }];
}
