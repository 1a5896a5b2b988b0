import { isRecord, parseJson } from "../../../core/base/json.ts";
import type { MonitorStore } from "../../../shared/monitor/monitor.ts";
import { inOurTime, isRecent } from "../../intake/as-stored.ts";
import { takeWhatCanBe } from "../../intake/take-in.ts";
import { takeReceipts } from "../receipts.ts";
import type { Logged, SharedLog } from "./shared-log.ts";

const MARK = "database-read";

interface Options {
  readonly store: MonitorStore;
  readonly log: SharedLog;
  /** This one's own name, and since when it has it there: another database knows it since another time. */
  readonly machine: string;
  readonly since: string;
  readonly onError: (error: unknown) => void;
}

/** Takes what other machines have added to the log into this machine's store, each event once. */
export function mirror({ store, log, machine: own, since, onError }: Options) {
  let known: Positions | undefined;
  const begin = async (): Promise<Positions> => ({
    events: await log.begin("events"),
    receipts: await log.begin("receipts"),
  });
  const positions = async (end: Positions): Promise<Positions> => {
    known ??= positionsIn(await store.update((tables) => tables.mark(MARK)), since);
    // A database that was restored from a copy has less than was read. What is read again counts once.
    if (known === undefined || known.events > end.events || known.receipts > end.receipts)
      known = await begin();
    return known;
  };
  const markOf = (at: Positions) => ({ name: MARK, value: JSON.stringify({ since, ...at }) });
  return {
    async read(): Promise<void> {
      // The event that opened a decision was added before its receipt: the receipts that are there now have their events below.
      const receiptsEnd = await log.end("receipts");
      const eventsEnd = await log.end("events");
      let at = await positions({ events: eventsEnd, receipts: receiptsEnd });
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
        const { name, value } = markOf(at);
        await store.update((tables) => tables.putMark(name, value));
        known = at;
      }
    },
  };
}

interface Positions {
  readonly events: number;
  readonly receipts: number;
}

function positionsIn(mark: string | undefined, since: string): Positions | undefined {
  const value = parseJson(mark ?? "");
  if (!isRecord(value) || value.since !== since) return undefined;
  const { events, receipts } = value;
  return typeof events === "number" && typeof receipts === "number" ? { events, receipts } : undefined;
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
