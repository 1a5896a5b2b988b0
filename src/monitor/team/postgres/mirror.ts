import type { MonitorStore } from "../../../shared/monitor/monitor.ts";
import { inOurTime, isRecent } from "../../intake/clock.ts";
import { takeWhatCanBe } from "../../intake/take-in.ts";
import { takeReceipts } from "../receipts.ts";
import { type Logged, positionsIn, type SharedLog } from "./shared-log.ts";

/** The mark in the store that says how far the log is read. */
const MARK = "database-read";

interface Options {
  readonly store: MonitorStore;
  readonly log: SharedLog;
  /** This one's own name. */
  readonly machine: string;
  readonly onError: (error: unknown) => void;
}

/** Takes what other machines have added to the log into this machine's store, each event once. */
export function mirror({ store, log, machine: own, onError }: Options) {
  let known: { readonly events: number; readonly receipts: number } | undefined;
  const positions = async () => {
    if (known === undefined) {
      const { events, receipts } = positionsIn(await store.update((tables) => tables.mark(MARK)));
      known = {
        events: events ?? (await log.begin("events")),
        receipts: receipts ?? (await log.begin("receipts")),
      };
    }
    return known;
  };
  const markOf = (at: NonNullable<typeof known>) => ({ name: MARK, value: JSON.stringify(at) });
  return {
    async read(): Promise<void> {
      let at = await positions();
      // The event that opened a decision was added before its receipt: what is there now has its events below.
      const [receiptsEnd, eventsEnd] = [await log.end("receipts"), await log.end("events")];
      for (;;) {
        const page = await log.events(at.events, eventsEnd, own);
        if (page.length === 0) break;
        for (const run of runsOf(page)) {
          const { machine = "", position = at.events } = run.at(-1) ?? {};
          const events = run
            .flatMap(({ item }) => item ?? [])
            .map((event) => inOurTime(event, Date.now()))
            .filter(isRecent);
          const next = { ...at, events: position };
          await takeWhatCanBe(store, events, { machine, mark: markOf(next), onError });
          at = next;
          known = at;
        }
      }
      for (;;) {
        const page = await log.receipts(at.receipts, receiptsEnd, own);
        const last = page.at(-1);
        if (last === undefined) break;
        for (const { machine, item } of page) await takeReceipts(store, machine, [item]);
        at = { ...at, receipts: last.position };
        await store.update((tables) => tables.putMark(MARK, JSON.stringify(at)));
        known = at;
      }
    },
  };
}

/** What follows each other and is of one machine. */
function runsOf<Item>(all: readonly Logged<Item>[]): readonly (readonly Logged<Item>[])[] {
  const runs: Logged<Item>[][] = [];
  for (const one of all) {
    const last = runs.at(-1);
    if (last?.[0]?.machine === one.machine) last.push(one);
    else runs.push([one]);
  }
  return runs;
}
