import { readCachedEvent } from "../../config/cache/read-cache.ts";
import type { Host } from "../call.ts";
import { makeOther } from "../prepare-other.ts";

/** A process that decides one call. It reads what is cached of the configuration, and keeps nothing. */
export const processHost: Host = {
  takes: () => true,
  findConfig: async ({ places, event: { host } }, name) =>
    readCachedEvent(places, name) ?? (await import("../read-config.ts")).readConfigFiles(places, name, host),
  makeFor: () => makeOther,
  leave: async (left) => (await import("./start-async.ts")).startReader(left),
  runAsync: async (hooks, call) => (await import("./start-async.ts")).startAsyncHooks(hooks, call),
};
