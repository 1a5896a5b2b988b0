import type { Adapter, DecodedEvent } from "../../adapters/adapter.ts";
import { readCachedEvent } from "../../config/cache/read-cache.ts";
import type { FoundConfig } from "./slow-path.ts";

/** Finds what decides an event: in the cache, or in the configuration's files. */
export async function findConfig(
  { cwd, hook_event_name: event, host }: DecodedEvent,
  { projectVariable = "" }: Adapter,
  environment: NodeJS.ProcessEnv,
): Promise<FoundConfig> {
  const project = environment[projectVariable];
  const places = { cwd, environment, ...(project ? { project } : {}) };
  const fromFiles = async () => (await import("./slow-path.ts")).readConfigFiles(places, event, host);
  const cached = readCachedEvent(places, event, async () => (await fromFiles()).config);
  return cached === undefined ? fromFiles() : { config: cached };
}
