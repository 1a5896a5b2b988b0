import { realpathSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import type { EventConfig } from "../../config/cache/event-config.ts";
import { cacheKey, type DependsOn, readCachedEvent } from "../../config/cache/read-cache.ts";
import { timeValue } from "../../config/inputs/inputs.ts";
import { cacheFolder } from "../../node/user-folders.ts";
import type { Host } from "../call.ts";

/** Younger files may change and keep their stamps: some file systems count in steps of two seconds. */
const SETTLED_MILLISECONDS = 2_100;
const MOST_REMEMBERED = 50;

interface Remembered {
  readonly config: EventConfig;
  readonly depends: readonly DependsOn[];
  readonly stamps: readonly string[];
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
    if (remembered?.depends.every((one, at) => stampOf(one) === remembered.stamps[at]) === true)
      return { config: remembered.config };
    known.delete(key);
    const before = Date.now();
    const found = readCachedEvent(places, name);
    if (found === undefined) return (await import("../read-config.ts")).readConfigFiles(places, name, host);
    const { config } = found;
    const depends = found.depends();
    const stamps = depends.map((one) => stampOf(one, before));
    if (stamps.every((stamp) => stamp !== undefined)) known.set(key, { config, depends, stamps });
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return { config };
  };
}

/**
 * What the file system says about a file. `undefined` when it may have changed since it was read, which began at
 * `before`.
 */
function stampOf({ path, kind, absent }: DependsOn, before?: number): string | undefined {
  if (kind === "time") return timeValue(path, before);
  const status = statusOf(path);
  if ((status === undefined) !== absent) return before === undefined ? "other" : undefined;
  if (status === undefined) return "absent";
  const { dev, ino, mode, uid, size, mtimeMs, ctimeMs } = status;
  const identity = `${dev} ${ino} ${mode} ${uid}`;
  // Of these only counts where they are.
  if (kind === "presence") return identity;
  if (kind === "real") return `${identity} ${realPath(path)}`;
  if (before !== undefined && Math.max(mtimeMs, ctimeMs) > before - SETTLED_MILLISECONDS) return undefined;
  return `${identity} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** A folder that was moved, with a link left in its place, keeps everything else. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // It is gone since its status was read.
    return undefined;
  }
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A parent is a file, or may not be read.
    return undefined;
  }
}
