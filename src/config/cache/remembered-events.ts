import { realpathSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { cacheFolder } from "../../node/user-folders.ts";
import type { Places } from "../find/discover.ts";
import type { EventConfig } from "./event-config.ts";
import { cacheKey, type DependsOn, readCachedEvent } from "./read-cache.ts";

/** Younger files may change and keep their stamps: some file systems count in steps of two seconds. */
const SETTLED_MILLISECONDS = 2_100;
const MOST_REMEMBERED = 50;

interface Remembered {
  readonly config: EventConfig;
  readonly depends: readonly DependsOn[];
  readonly stamps: readonly string[];
}

/**
 * Reads what decides an event from the cache, for a process that decides many: while the metadata of every file it was
 * made of stays the same, it is not read again. Never throws.
 */
export function rememberedEvents(): (places: Places, event: string) => EventConfig | undefined {
  const known = new Map<string, Remembered>();
  /** What follows from the variables of a call; the calls of one agent share them. */
  const folders = new WeakMap<NodeJS.ProcessEnv, string>();
  const foldersOf = (environment = process.env): string => {
    const found = folders.get(environment);
    if (found !== undefined) return found;
    const made = JSON.stringify([cacheFolder(environment), cacheKey({ cwd: "/", environment })]);
    folders.set(environment, made);
    return made;
  };
  return (places, event) => {
    const { cwd, project = cwd, managedFile, environment } = places;
    const key = JSON.stringify([event, resolve(cwd), resolve(project), managedFile, foldersOf(environment)]);
    const remembered = known.get(key);
    if (remembered !== undefined && isCurrent(remembered)) return remembered.config;
    known.delete(key);
    const before = Date.now();
    const found = readCachedEvent(places, event);
    if (found === undefined) return undefined;
    const { config } = found;
    const depends = found.depends();
    const stamps = depends.map((one) => stampOf(one, before));
    if (stamps.every((stamp) => stamp !== undefined)) known.set(key, { config, depends, stamps });
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return config;
  };
}

function isCurrent({ depends, stamps }: Remembered): boolean {
  return depends.every((one, at) => stampOf(one) === stamps[at]);
}

/**
 * What the file system says about a file. `undefined` when it may have changed since it was read, which began at
 * `before`.
 */
function stampOf({ path, kind, absent }: DependsOn, before?: number): string | undefined {
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
