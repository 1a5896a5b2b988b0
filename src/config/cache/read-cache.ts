import { readSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isRecord, sameJson } from "../../core/base/json.ts";
import { checksum } from "../../node/checksum.ts";
import { withOwnFile } from "../../node/files/own-file.ts";
import { readRegularFile } from "../../node/files/regular-file.ts";
import { cacheFolder, configFolder, homeFolder, stateFolder } from "../../node/user-folders.ts";
import type { Config } from "../config.ts";
import type { Places } from "../find/discover.ts";
import { ABSENT, fileValue, folderNames, type Input, lookAt, stillHolds } from "../inputs/inputs.ts";
import { MOST_BYTES, readCacheFile, type Section } from "./cache-file.ts";
import type { EventConfig, EventHook } from "./event-config.ts";
import type { StoredUnit } from "./last-good.ts";

/** An input with a copy of its content, since comparing bytes is faster than loading `node:crypto` for a digest. */
export interface CachedInput {
  readonly input: Input;
  readonly content?: Section;
  /** Where a file's path leads. */
  readonly real?: string;
}

export interface CacheHead {
  readonly key: readonly unknown[];
  readonly inputs: readonly CachedInput[];
  readonly last_good: readonly StoredUnit[];
  readonly config: Section;
  /** What all events share, and the hooks of each event. */
  readonly shared: Section;
  readonly events: Readonly<Record<string, Section>>;
}

/** A hook of one event as the cache holds it. */
export interface CachedHook extends Pick<EventHook, "hook"> {
  readonly rules?: Omit<NonNullable<EventHook["rules"]>, "lines"> & { readonly lines: Section };
}

/** A configuration with everything on disk that it depends on. */
export interface CachedConfig {
  readonly config: Config;
  readonly inputs: readonly Input[];
  /** Its units as they are stored for the time when their files can't be used. */
  readonly stored: readonly StoredUnit[];
}

/** Everything that a configuration depends on besides files. */
export function cacheKey({ cwd, project = cwd, environment, managedFile }: Places): readonly unknown[] {
  return [
    resolve(cwd),
    resolve(project),
    configFolder(environment),
    stateFolder(environment),
    managedFile ?? null,
    process.getuid?.() ?? null,
    homeFolder(),
  ];
}

/** Where a configuration is cached. Two keys may share a file name, so the file also holds its key. */
export function cachePath(places: Places): string {
  return join(cacheFolder(places.environment), `config-${checksum(JSON.stringify(cacheKey(places)))}`);
}

/** The cached configuration, when every byte that it was made of is still the same. Never throws. */
export function readCachedConfig(places: Places): CachedConfig | undefined {
  const cache = currentCache(places);
  if (cache === undefined) return undefined;
  const { head } = cache;
  const config: Config = JSON.parse(textOf(cache, head.config));
  return { config, inputs: head.inputs.map(({ input }) => input), stored: head.last_good };
}

interface CachedEvent {
  readonly config: EventConfig;
  /** Everything on disk that it depends on, the cache included. */
  readonly inputs: () => readonly Input[];
}

/** What decides one event, when every byte that it was made of is still the same. Never throws. */
export function readCachedEvent(places: Places, event: string): CachedEvent | undefined {
  const cache = currentCache(places);
  if (cache === undefined) return undefined;
  const { head } = cache;
  const section = Object.hasOwn(head.events, event) ? head.events[event] : undefined;
  const common: Omit<EventConfig, "hooks"> = JSON.parse(textOf(cache, head.shared));
  const hooks: readonly CachedHook[] = section === undefined ? [] : JSON.parse(textOf(cache, section));
  const config: EventConfig = {
    ...common,
    isSame: (path, value) => {
      const known = head.inputs.find(({ input }) => input.kind === "file" && input.path === path);
      const content = known?.content && bytesOf(cache, known.content);
      if (known?.input.value === value && content !== undefined) return isUnchanged(known, content);
      return fileValue(path) === value;
    },
    hooks: hooks.map(({ hook, rules }) => {
      if (rules === undefined) return { hook };
      return { hook, rules: { ...rules, lines: () => textOf(cache, rules.lines).split("\n") } };
    }),
  };
  const ours = [cachePath(places), ...head.last_good.map(({ file }) => file)];
  const inputs = () => [
    ...ours.map((path) => lookAt("file", path)),
    ...head.inputs.map(({ input }) => input),
  ];
  return { config, inputs };
}

/** A cached configuration that is still the same as its files. */
interface CurrentCache {
  readonly head: CacheHead;
  readonly sections: Buffer;
}

function currentCache(places: Places): CurrentCache | undefined {
  const { head, sections } = readCacheFile(cachePath(places)) ?? {};
  if (sections === undefined || !isHead(head) || !sameJson(head.key, cacheKey(places))) return undefined;
  // When another process has stored other units since, this configuration would fall back to those.
  if (!head.last_good.every((unit) => firstLine(unit.file) === unit.mark)) return undefined;
  const cache = { head, sections };
  const isCurrent = head.inputs.every((one) => isUnchanged(one, one.content && bytesOf(cache, one.content)));
  return isCurrent ? cache : undefined;
}

function bytesOf({ sections }: CurrentCache, { at, length }: Section): Buffer {
  return sections.subarray(at, at + length);
}

function textOf(cache: CurrentCache, section: Section): string {
  return bytesOf(cache, section).toString("utf8");
}

/** The first line of a cache file is never longer. */
const MARK_BYTES = 120;

/** The first line of a cache file, whatever it is; `undefined` when the file can't be trusted. Never throws. */
function firstLine(file: string): string | undefined {
  return withOwnFile(file, MOST_BYTES, (descriptor) => {
    const start = Buffer.alloc(MARK_BYTES);
    return start.toString("latin1", 0, readSync(descriptor, start)).split("\n", 1)[0];
  });
}

/** The first line says that this version of the package wrote it, so its outline is enough. */
function isHead(value: unknown): value is CacheHead {
  return (
    isRecord(value) && Array.isArray(value.inputs) && Array.isArray(value.last_good) && isRecord(value.events)
  );
}

/** True when an input is what it was. Never throws. */
function isUnchanged({ input, real }: CachedInput, content: Buffer | undefined): boolean {
  const { kind, path, value } = input;
  try {
    if (content !== undefined && kind === "folder") return Buffer.from(folderNames(path)).equals(content);
    if (content !== undefined) {
      return realpathSync.native(path) === real && readRegularFile(path, content.length).equals(content);
    }
    // Most files are absent, and an exception for each would cost more than all the rest.
    if (value === ABSENT) return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // `stillHolds` tells what is unreadable from what is gone.
  }
  return stillHolds(input);
}
