import { resolve } from "node:path";
import { errorMessage } from "../core/base/error-text.ts";
import { readLastGood, writeLastGood } from "./cache/last-good.ts";
import { type CachedConfig, readCachedConfig } from "./cache/read-cache.ts";
import { writeCache } from "./cache/write-cache.ts";
import { effectiveConfig } from "./combine/apply-scopes-and-trust.ts";
import type { Config } from "./config.ts";
import type { UnitPlace } from "./find/discover.ts";
import { type ReadUnit, sameUnit, saysAnything, type Unit } from "./find/unit.ts";
import { Inputs } from "./inputs/inputs.ts";
import type { LoadOptions } from "./load.ts";
import { ConfigError, inOrder, type Problem } from "./parse/problem.ts";

/** The configuration in force, even if its files are invalid. */
export interface Opened extends Pick<CachedConfig, "config" | "inputs"> {
  /** The units that were read now; none when the configuration came from the cache, or is the last good one. */
  readonly read: readonly Unit[];
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

/** Finds the configuration in the cache, in its files, or as it was when all of them could last be used. Nothing is written. */
export async function openConfig(options: LoadOptions): Promise<Opened> {
  const cached = readCachedConfig(options);
  if (cached !== undefined) return { config: cached.config, inputs: cached.inputs, read: [] };
  const inputs = new Inputs();
  try {
    const { readUnits } = await import("./read/read-config.ts");
    const found = await readUnits(options, inputs, options.signal);
    const problems = found.units.flatMap((unit) => problemsIn(unit, options.environment));
    if (problems.length > 0) return fallBack(options, inOrder(problems), inputs, found.units);
    const config = effectiveConfig(found, options.environment, inputs);
    return { config, inputs: inputs.all(), read: found.units };
  } catch (error) {
    options.signal?.throwIfAborted();
    return fallBack(options, problemsFrom(error, options), inputs);
  }
}

/**
 * Uses a configuration. When that finds something wrong with it, the last good one counts, and when that is wrong too, none,
 * with every gate closed.
 */
export async function withFallBack<Result>(
  options: LoadOptions,
  opened: Opened,
  use: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const problems: Problem[] = [...(opened.config.broken?.problems ?? [])];
  const inputs = new Inputs(opened.inputs);
  try {
    return await use(opened);
  } catch (error) {
    problems.push(...problemsFrom(error, options));
  }
  try {
    return await use(await fallBack(options, problems, inputs));
  } catch (error) {
    problems.push(...problemsFrom(error, options));
  }
  return use(await fallBack(options, problems, inputs, "none"));
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
 * What all files said when they could last be used, with what is wrong now; gates are closed unless that is known of each.
 * Trust is checked again: what has been revoked or has changed since does not come back.
 *
 * @param now the units as they are: one without problems that was never stored counts as it is.
 */
async function fallBack(
  options: LoadOptions,
  problems: readonly Problem[],
  inputs: Inputs,
  now: readonly ReadUnit[] | "none" = [],
): Promise<Opened> {
  const { discover } = await import("./find/discover.ts");
  const found = await discover(options, new Inputs()).catch(() => undefined);
  const start = resolve(options.cwd);
  const { cwd, root, folders, units: all } = found ?? { cwd: start, root: start, folders: [], units: [] };
  const units = all.flatMap((unit) => lastGood(unit, options, now) ?? []);
  const last_good = found !== undefined && units.length === all.length;
  const fallen = last_good ? [] : all.map((unit) => unit.root);
  const read = { cwd, root, folders, fallen, units, warnings: [] };
  const config = effectiveConfig(read, options.environment, inputs);
  return { config: { ...config, broken: { problems, last_good } }, inputs: inputs.all(), read: [] };
}

function lastGood(
  place: UnitPlace,
  { environment }: LoadOptions,
  now: readonly ReadUnit[] | "none",
): Unit | undefined {
  if (now === "none") return undefined;
  return (
    readLastGood(place, environment) ??
    now.find((unit) => sameUnit(unit, place) && unit.problems.length === 0)
  );
}

/**
 * What is wrong in a unit. A file that held something and is empty now is more likely being written, or was cut off, than
 * meant to say nothing: who wants that can remove it, or say so.
 */
function problemsIn(unit: ReadUnit, environment: NodeJS.ProcessEnv | undefined): readonly Problem[] {
  if (unit.problems.length > 0 || unit.blank.length === 0) return unit.problems;
  const { layers = [] } = readLastGood(unit, environment) ?? {};
  return unit.blank
    .filter((file) => saysAnything(layers, file))
    .map((file) => ({
      code: "config_invalid",
      file,
      message:
        "The file is empty, but it was not before. To have nothing in it, remove it or write an empty hooks section.",
    }));
}

/** An unexpected error is a problem too, since nothing may open a gate. */
function problemsFrom(error: unknown, { cwd }: LoadOptions): readonly Problem[] {
  if (error instanceof ConfigError) return error.problems;
  const message = `The configuration can't be read: ${errorMessage(error)}.`;
  return [{ code: "config_unreadable", file: cwd, message }];
}
