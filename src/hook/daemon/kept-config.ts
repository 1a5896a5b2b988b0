import { resolve } from "node:path";
import type { EventConfig } from "../../config/cache/event-config.ts";
import { cacheKey, readCachedEvent } from "../../config/cache/read-cache.ts";
import { type Input, lookAgain } from "../../config/inputs/inputs.ts";
import { cacheFolder } from "../../node/user-folders.ts";
import type { Host } from "../call.ts";

const MOST_REMEMBERED = 50;

interface Remembered {
  readonly config: EventConfig;
  readonly inputs: readonly Input[];
}

/**
 * Finds what decides an event, for a process that decides many: while the metadata of every file it was made of stays
 * the same, nothing is read again.
 */
export function keptConfigs(): Host["findConfig"] {
  const known = new Map<string, Remembered>();
  /** What follows from the variables of a call; the calls of one agent share them. */
  const folders = new WeakMap<NodeJS.ProcessEnv, string>();
  const foldersOf = (environment: NodeJS.ProcessEnv): string => {
    const found = folders.get(environment);
    if (found !== undefined) return found;
    const made = JSON.stringify([cacheFolder(environment), cacheKey({ cwd: "/", environment })]);
    folders.set(environment, made);
    return made;
  };
  return async ({ places, event: { host } }, name) => {
    const { cwd, project = cwd, environment } = places;
    const key = JSON.stringify([name, resolve(cwd), resolve(project), foldersOf(environment)]);
    const remembered = known.get(key);
    if (remembered?.inputs.every((input) => lookAgain(input) === input) === true)
      return { config: remembered.config };
    known.delete(key);
    const found = readCachedEvent(places, name);
    if (found === undefined) return (await import("../read-config.ts")).readConfigFiles(places, name, host);
    const config = withoutCacheFile(found.config);
    const read = found.inputs();
    const inputs = read.map(lookAgain);
    if (inputs.every(({ value }, at) => value === read[at]?.value)) known.set(key, { config, inputs });
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return { config };
  };
}

/** The configuration without what keeps the whole file in memory that it was read from. */
function withoutCacheFile({ isSame: _, hooks, ...config }: EventConfig): EventConfig {
  return {
    ...config,
    hooks: hooks.map(({ hook, rules }) => {
      if (rules === undefined) return { hook };
      const lines = rules.lines();
      return { hook, rules: { ...rules, lines: () => lines } };
    }),
  };
}
