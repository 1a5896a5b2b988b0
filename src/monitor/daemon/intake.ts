import { setImmediate as immediate } from "node:timers/promises";
import { makePrivateFolder } from "../../node/files/folders.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { MonitorStore } from "../../shared/monitor/monitor.ts";
import { inOurTime, isRecent } from "../intake/as-stored.ts";
import { type Positions, spoolReader, tidySpool } from "../intake/read-spool.ts";
import { takeWhatCanBe } from "../intake/take-in.ts";
import { spoolFolder } from "../report/spool.ts";
import { failuresOnce } from "../tick.ts";

/** From then on it is said that the store is behind. */
const LONG_MILLISECONDS = 1000;
const LONG = "It takes long. Another process may be writing to the monitor's database.";

/** The mark in the store that says how far the spool is taken in. */
const POSITIONS = "spool";

/** Takes the spool in as somebody asks, from where an earlier daemon stood. */
export async function openIntake(
  store: MonitorStore,
  environment: NodeJS.ProcessEnv,
  onError: (error: unknown) => void,
) {
  const folder = spoolFolder(environment);
  makePrivateFolder(folder);
  const stored = await store.update((tables) => tables.mark(POSITIONS));
  const before: Positions = JSON.parse(stored ?? "{}");
  const reader = spoolReader(folder, before);
  // What was read and could not be stored: nothing after it may be stored before it.
  let left: readonly MonitorEvent[] = [];
  const takeAll = async (): Promise<void> => {
    // Others go on writing: what comes later is for the next time.
    const written = reader.written();
    while (left.length > 0 || !reader.hasRead(written)) {
      if (left.length === 0) left = reader.next().map((event) => inOurTime(event, Date.now()));
      if (left.length === 0) break;
      const mark = { name: POSITIONS, value: JSON.stringify(reader.positions()) };
      await takeWhatCanBe(store, left.filter(isRecent), { mark, onError });
      left = [];
      // Clients are answered in between.
      await immediate();
    }
    tidySpool(folder, Date.now(), written);
  };
  const { fail, succeed, problem } = failuresOnce(onError);
  /** When the present run began. */
  let since = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  /**
   * Resolves when everything that was written before the call is stored. One run at a time, and one that waits for all
   * who ask meanwhile.
   */
  const drain = (): Promise<void> => {
    next ??= (running ?? Promise.resolve()).then(() => {
      running = next;
      next = undefined;
      since = performance.now();
      return takeAll()
        .then(succeed, fail)
        .finally(() => {
          since = Number.POSITIVE_INFINITY;
        });
    });
    return next;
  };
  return {
    drain,
    /** Why what was reported can't be stored at the moment. */
    problem: () => problem() ?? (performance.now() - since > LONG_MILLISECONDS ? LONG : undefined),
  };
}
