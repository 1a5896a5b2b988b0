import { resolve } from "node:path";
import { type Compiled, readCompiled, writeCompiled } from "./cache/compiled.ts";
import { writeKept } from "./cache/keep.ts";
import { readLastGood, writeLastGood } from "./cache/last-good.ts";
import type { Config } from "./config.ts";
import { effectiveConfig } from "./effective.ts";
import { Inputs } from "./inputs.ts";
import type { LoadOptions } from "./load.ts";
import { ConfigError, type Problem } from "./problem.ts";
import type { ReadConfig } from "./read-config.ts";

/** A configuration that is in force, whatever its files look like. */
export interface Opened extends Compiled {
  /** What the files say, when they were read now. */
  readonly read?: ReadConfig;
}

/**
 * Loads the configuration as `loadConfig` does, but from the compiled cache when everything it was made of is still the
 * same, which takes a small part of the time: the way for a process that decides one event. Files that can't be used do
 * not make it throw: what they said when they last could is in force, and `config.broken` says so; with nothing to fall
 * back to the configuration is empty and, once applied, keeps every gate closed.
 */
export async function loadConfigCached(options: LoadOptions): Promise<Config> {
  const opened = await openConfig(options);
  return opened.read === undefined ? opened.config : (await keepOpened(options, opened)).config;
}

/** The same for a process that decides one event, and found nothing kept for it: the next one will. */
export async function loadConfigKept(options: LoadOptions): Promise<Config> {
  const opened = await openConfig(options);
  if (opened.read !== undefined) return (await keepOpened(options, opened)).config;
  if (opened.config.broken === undefined) await writeKept(options, opened).catch(() => undefined);
  return opened.config;
}

/** Finds the configuration in the cache, in its files, or among what was good before. Nothing is written. */
export async function openConfig(options: LoadOptions, before?: ReadConfig): Promise<Opened> {
  const compiled = readCompiled(options);
  if (compiled !== undefined) return compiled;
  const inputs = new Inputs();
  try {
    const { readConfig } = await import("./read-config.ts");
    const read = await readConfig(options, inputs, options.signal);
    const config = effectiveConfig(read, options.environment, inputs);
    return { config, read, inputs: inputs.all() };
  } catch (error) {
    options.signal?.throwIfAborted();
    return fallBack(options, problemsFrom(error, options), inputs, before);
  }
}

/** Keeps what was read for later processes. Answers it with a warning when it can't be kept. */
export async function keepOpened(options: LoadOptions, opened: Opened): Promise<Opened> {
  const { read, config } = opened;
  if (read === undefined) return opened;
  const warning = await writeLastGood({ ...options, root: config.trust.root }, read);
  if (warning !== undefined)
    return { ...opened, config: { ...config, warnings: [...config.warnings, warning] } };
  await writeCompiled(options, opened);
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
  before?: ReadConfig | "none",
): Promise<Opened> {
  const read = before === "none" ? undefined : (before ?? (await earlier(options)));
  const nothing: ReadConfig = { cwd: resolve(options.cwd), layers: [], warnings: [] };
  const config = effectiveConfig(read ?? nothing, options.environment, inputs);
  const broken = { problems, last_good: read !== undefined };
  return { config: { ...config, broken }, inputs: inputs.all() };
}

async function earlier(options: LoadOptions): Promise<ReadConfig | undefined> {
  const { discover } = await import("./discover.ts");
  const unheard = { problems: [], warnings: [], inputs: new Inputs() };
  try {
    const { project, cwd } = await discover(options, unheard);
    const read = readLastGood({ ...options, root: project?.root ?? cwd });
    if (read === undefined || read.cwd === cwd) return read;
    // Kept by a process that worked in another folder of the project, which has an .agent/hook.toml of its own.
    const { agent: _, ...rest } = read;
    return { ...rest, cwd };
  } catch {
    return undefined;
  }
}

/** The problems of an error; one that nobody expected is a problem too, since nothing may open a gate. */
export function problemsFrom(error: unknown, { cwd }: LoadOptions): readonly Problem[] {
  if (error instanceof ConfigError) return error.problems;
  const message = `The configuration can't be read: ${error instanceof Error ? error.message : String(error)}.`;
  return [{ code: "config_unreadable", file: cwd, message }];
}
