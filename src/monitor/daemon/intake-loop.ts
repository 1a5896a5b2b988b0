import { type FSWatcher, watch } from "node:fs";
import type { MonitorStore } from "../../core/contracts/monitor.ts";
import { makePrivateFolder } from "../../node/files/make-folders.ts";
import { spoolReader } from "../intake/read-spool.ts";
import { takeIn } from "../intake/take-in.ts";
import { tidySpool } from "../intake/tidy-spool.ts";
import { spoolFolder } from "../spool.ts";

/** A file system may not notify, so it is looked at this often, too. */
const LOOK_MILLISECONDS = 1000;

export interface IntakeLoop {
  /** Resolves when everything that was written before the call is stored. */
  drain(): Promise<void>;
  close(): void;
}

/** Takes the spool in as it grows. */
export function intakeLoop(
  store: MonitorStore,
  environment: NodeJS.ProcessEnv,
  onError: (error: unknown) => void,
): IntakeLoop {
  const folder = spoolFolder(environment);
  makePrivateFolder(folder);
  const reader = spoolReader(folder);
  const takeAll = async (): Promise<void> => {
    for (let events = reader.next(); events.length > 0; events = reader.next()) {
      for (;;) {
        try {
          await takeIn(store, events);
          break;
        } catch (error) {
          // They are not in the file a second time: without them nothing may go on.
          onError(error);
          await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
        }
      }
    }
    tidySpool(folder, Date.now());
  };
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  /** One run at a time, and one that waits for all who ask meanwhile. */
  const drain = (): Promise<void> => {
    next ??= (running ?? Promise.resolve()).then(() => {
      running = next;
      next = undefined;
      return takeAll().catch(onError);
    });
    return next;
  };
  const watcher = watchFolder(folder, drain);
  const timer = setInterval(drain, LOOK_MILLISECONDS);
  return {
    drain,
    close() {
      watcher?.close();
      clearInterval(timer);
    },
  };
}

function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(folder, onChange).on("error", () => undefined);
  } catch {
    return undefined;
  }
}
