import { realpathSync } from "node:fs";
import { sameJson } from "../../core/base/json.ts";
import { readRegularFile } from "../../node/files/regular-file.ts";
import type { ConfigDefinition } from "../config.ts";
import type { Places } from "../find/discover.ts";
import { sha256 } from "../inputs/digest.ts";
import { folderNames, type Input } from "../inputs/inputs.ts";
import { eventHook, hooksOf, sharedPart } from "./event-config.ts";
import { type CachedConfig, type CachedHook, type CacheHead, cacheKey, cachePath } from "./read-cache.ts";
import { Sections, writeCacheFile } from "./write-cache-file.ts";

/** Caches a configuration for later processes; everything works without, only slower. Never rejects. */
export async function writeCache(places: Places, cached: CachedConfig): Promise<void> {
  try {
    // What JSON can't carry unchanged, such as a date of TOML, is read from its file each time.
    if (!sameJson(JSON.parse(JSON.stringify(cached.config)), cached.config)) return;
    const sections = new Sections();
    const head = headOf(places, cached, sections);
    if (head !== undefined) await writeCacheFile(cachePath(places), head, sections);
  } catch {
    // See above.
  }
}

/** The head of a cache file; `undefined` when an input has changed since it was read. */
function headOf(
  places: Places,
  { config, inputs, stored }: CachedConfig,
  sections: Sections,
): CacheHead | undefined {
  const cachedInputs: CacheHead["inputs"][number][] = [];
  for (const input of inputs) {
    const content = inputContent(input);
    if (content === "changed") return undefined;
    cachedInputs.push({
      input,
      ...(content && { content: sections.add(content) }),
      ...(content && input.kind === "file" && { real: realpathSync.native(input.path) }),
    });
  }
  const whole = sections.add(JSON.stringify(config));
  const shared = sections.add(JSON.stringify(sharedPart(config)));
  const cachedHooks = new Map<ConfigDefinition, CachedHook>();
  const definitions = [...config.guards, ...config.definitions];
  for (const definition of definitions) {
    const { hook, rules } = eventHook(definition);
    const lines = rules && sections.add(rules.lines().join("\n"));
    cachedHooks.set(definition, { hook, ...(rules && lines && { rules: { ...rules, lines } }) });
  }
  const names = new Set(definitions.flatMap(({ definition }) => definition.matcher.events));
  const events = [...names].map((event) => {
    const hooks = hooksOf(config, event).map((definition) => cachedHooks.get(definition));
    return [event, sections.add(JSON.stringify(hooks))] as const;
  });
  return {
    key: cacheKey(places),
    inputs: cachedInputs,
    last_good: stored,
    config: whole,
    shared,
    events: Object.fromEntries(events),
  };
}

/** Larger files are not copied but digested, or compared by their times. */
const MOST_BYTES = 1_000_000;

/** The content of an input; `undefined` for one that has none to copy, `"changed"` when it is no longer what it was. */
function inputContent({ kind, path, value, size }: Input): Buffer | "changed" | undefined {
  const hash = /^[0-9a-f]{64}/.exec(value)?.[0];
  if (hash === undefined || size > MOST_BYTES) return undefined;
  try {
    const bytes = kind === "folder" ? Buffer.from(folderNames(path)) : readRegularFile(path, MOST_BYTES);
    return sha256(bytes) === hash ? bytes : "changed";
  } catch {
    return "changed";
  }
}
