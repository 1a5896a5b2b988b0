import { Readable } from "node:stream";
import { readLeft, runAsyncHooks } from "../async-hooks.ts";
import type { Host } from "../call.ts";
import { keptConfigs } from "./kept-config.ts";
import { keptHandlers } from "./kept-handlers.ts";

/** The daemon as a place where calls are decided: configurations and the processes of hooks stay in memory. */
export function daemonHost(log: (error: unknown) => void) {
  const handlers = keptHandlers();
  const host: Host = {
    takes: ({ settings }) => settings.daemon,
    findConfig: keptConfigs(),
    makeFor: handlers.makeFor,
    leave: (left, call) => {
      const pipes = left.pipes.flatMap((pipe) => (pipe instanceof Readable ? [pipe] : []));
      readLeft({ ...left, pipes }, call).catch(log);
    },
    runAsync: (hooks, call) => {
      // Nobody waits for them, so nobody can end them early.
      runAsyncHooks(hooks, { ...call, signal: new AbortController().signal }, host).catch(log);
    },
  };
  return { host, close: handlers.close };
}
