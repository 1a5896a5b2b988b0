import { Readable } from "node:stream";
import { readLeft, runAsyncHooks } from "../async-hooks.ts";
import type { Host } from "../call.ts";
import { keptConfigs } from "./kept-config.ts";
import { keptHandlers } from "./kept-handlers.ts";

/** The daemon as a place where calls are decided: configurations and the processes of hooks stay in memory. */
export function daemonHost(log: (error: unknown) => void) {
  const handlers = keptHandlers();
  /** What goes on after replies. */
  const background = new Set<Promise<void>>();
  const goOn = (work: Promise<void>): void => {
    const watched = work.catch(log).finally(() => background.delete(watched));
    background.add(watched);
  };
  const host: Host = {
    takes: ({ settings }) => settings.daemon,
    findConfig: keptConfigs(),
    makeFor: handlers.makeFor,
    leave: (left, call) => {
      const pipes = left.pipes.flatMap((pipe) => (pipe instanceof Readable ? [pipe] : []));
      goOn(readLeft({ ...left, pipes }, call));
    },
    runAsync: (hooks, call) => {
      // Nobody waits for them, so nobody can end them early.
      goOn(runAsyncHooks(hooks, { ...call, signal: new AbortController().signal }, host));
    },
  };
  const close = async (): Promise<void> => {
    await Promise.all(background);
    await handlers.close();
  };
  return { host, isBusy: () => background.size > 0, close };
}
