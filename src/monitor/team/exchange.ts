import { isTenterhookError } from "../../core/base/errors.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { HumanRequest, MonitorStore } from "../../shared/monitor/monitor.ts";
import type { Monitor } from "../monitor.ts";
import type { TeamClient } from "./client.ts";
import { type DecisionReceipt, goneReceipt, receiptFor } from "./receipts.ts";

const PAGE = 500;
/** Half of what the server takes. */
const MOST_BYTES = 500_000;
/** What runs when a machine joins has begun before. */
const BEFORE_MILLISECONDS = 24 * 60 * 60 * 1000;
/** How many decisions are told that may have ended while this machine's daemon was away. */
const MOST_RECENT = 1000;

interface SendOptions {
  readonly store: MonitorStore;
  readonly client: Pick<TeamClient, "send" | "receipts">;
  /** The name of the mark in the store that says how far the others know it. */
  readonly mark: string;
  /** Since when this machine reports there, an ISO time. */
  readonly since: string;
  /** The names of other machines that are heard through this one: what they report is passed on. Default: none. */
  readonly joined?: () => Promise<ReadonlySet<string>>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Sends the events of this machine's agents from its store, and those of machines that are heard through it, each until
 * the others have it. One that is sent twice has the same id, and counts once there.
 */
export function eventsFor(options: SendOptions) {
  const { store, client, mark, since: joined_at, joined = async () => NOBODY, signal, onError } = options;
  const since = new Date(Date.parse(joined_at) - BEFORE_MILLISECONDS).toISOString();
  let known: number | undefined;
  /** Decisions that were open at the last look: their ends are told. */
  let open: ReadonlyMap<string, HumanRequest> | undefined;
  const position = async (): Promise<number> => {
    known ??= positionIn(await store.update((tables) => tables.mark(mark)), joined_at);
    return known;
  };
  const reach = async (next: number): Promise<void> => {
    await store.update((tables) => tables.putMark(mark, JSON.stringify({ joined_at, position: next })));
    known = next;
  };
  /** What the server can't read is left out: what follows must not wait for it. */
  const sendWhatCanBe = async (events: readonly MonitorEvent[]): Promise<void> => {
    try {
      if (events.length > 0) await client.send(events, signal);
    } catch (error) {
      if (!isTenterhookError(error) || error.code !== "usage_error") throw error;
      if (events.length === 1) return onError(error);
      const half = Math.ceil(events.length / 2);
      await sendWhatCanBe(events.slice(0, half));
      await sendWhatCanBe(events.slice(half));
    }
  };
  const sendEnds = async (): Promise<void> => {
    const names = await joined();
    const now = byId(await store.decisions("open"), names);
    open ??= byId(await store.decisions("all", MOST_RECENT), names);
    const ended = [...open.values()].filter(({ id }) => !now.has(id));
    const told = await endsOf(ended, store);
    if (told.length > 0) await client.receipts(told, signal);
    const known = new Set(told.map(({ id }) => id));
    const waiting = ended.filter(({ id }) => !known.has(id));
    open = new Map([...now, ...waiting.map((one) => [one.id, one] as const)]);
  };
  return {
    async send(): Promise<void> {
      for (;;) {
        const page = await store.eventsAfter(await position(), PAGE);
        const last = page.at(-1);
        if (last === undefined) break;
        // After the events: a machine that has joined since has none among them.
        const names = await joined();
        const own = page.filter(({ event }) => {
          // What this machine only makes of another one's events is for its own lists.
          const isTold = isSpokenFor(event.machine, names) && event.only_here !== true;
          return isTold && event.time >= since;
        });
        for (const batch of batchesOf(own)) {
          await sendWhatCanBe(batch.map(({ event }) => event));
          await reach(batch.at(-1)?.position ?? last.position);
        }
        await reach(last.position);
      }
      await sendEnds();
    },
    areLeft: async () => (await store.eventsAfter(await position(), 1)).length > 0,
  };
}

/** So many at a time as fit into a request. */
function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (batch.length > 0 && bytes + size > MOST_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** From the beginning for a machine that has joined anew. */
function positionIn(mark: string | undefined, joinedAt: string): number {
  const value = parseJson(mark ?? "");
  return isRecord(value) && value.joined_at === joinedAt && typeof value.position === "number"
    ? value.position
    : 0;
}

/** False for what another machine's daemon tells. */
function isSpokenFor(machine: string | undefined, joined: ReadonlySet<string>): boolean {
  return machine === undefined || joined.has(machine);
}

function byId(
  decisions: readonly HumanRequest[],
  joined: ReadonlySet<string>,
): ReadonlyMap<string, HumanRequest> {
  const told = decisions.filter(({ machine }) => isSpokenFor(machine, joined));
  return new Map(told.map((one) => [one.id, one]));
}

/** How decisions have ended; without those that have not, as far as anybody knows. */
async function endsOf(
  asked: readonly Pick<HumanRequest, "id" | "machine">[],
  store: MonitorStore,
): Promise<readonly DecisionReceipt[]> {
  if (asked.length === 0) return [];
  const found = await store.update((tables) => asked.map((one) => [one, tables.decision(one.id)] as const));
  return found.flatMap(([{ id, machine }, decision]) =>
    decision === undefined ? [goneReceipt(id, machine)] : (receiptFor(decision) ?? []),
  );
}

interface AnswerOptions {
  readonly store: MonitorStore;
  readonly monitor: Pick<Monitor, "pass">;
  readonly client: Pick<TeamClient, "answers" | "receipts">;
  readonly signal: AbortSignal;
}

/** Gives the answers of the team's monitor to the hooks that wait, and says there what came of each. */
export function answersFor({ store, monitor, client, signal }: AnswerOptions) {
  return async (waitSeconds: number): Promise<{ readonly isSettled: boolean }> => {
    const { answers, open } = await client.answers(waitSeconds, signal);
    await Promise.all(answers.map((one) => monitor.pass(one)));
    const receipts = await endsOf([...answers, ...open.map((id) => ({ id }))], store);
    if (receipts.length > 0) await client.receipts(receipts, signal);
    return { isSettled: answers.every(({ id }) => receipts.some((one) => one.id === id)) };
  };
}
