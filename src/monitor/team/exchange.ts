import { isTenterhookError } from "../../core/base/errors.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import type { HumanRequest, MonitorEvent, MonitorStore } from "../../shared/monitor/monitor.ts";
import { machineOf } from "../intake/of-machine.ts";
import type { Monitor } from "../monitor.ts";
import type { TeamClient } from "./client.ts";
import { type DecisionReceipt, goneReceipt, receiptFor } from "./receipts.ts";

const PAGE = 500;
/** Half of what the server takes. */
const MOST_BYTES = 500_000;
/** What runs when a machine joins has begun before. */
const BEFORE_MILLISECONDS = 24 * 60 * 60 * 1000;
/** How many decisions are told that may have ended while this machine's daemon was away. */
const MOST_RECENT = 200;

interface SendOptions {
  readonly store: MonitorStore;
  readonly client: Pick<TeamClient, "send" | "receipts">;
  /** The name of the mark in the store that says how far the others know it. */
  readonly mark: string;
  /** Since when this machine reports there, an ISO time. */
  readonly since: string;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends the events of this machine's store, each until the others have it. One that is sent twice has the same id, and
 * counts once there.
 */
export function eventsFor({ store, client, mark, since: joined_at, signal, onError }: SendOptions) {
  const since = new Date(Date.parse(joined_at) - BEFORE_MILLISECONDS).toISOString();
  let known: number | undefined;
  /** Decisions that were open at the last look: their ends are told. */
  let open: ReadonlySet<string> | undefined;
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
    const now = new Set(ownOf(await store.decisions("open")).map(({ id }) => id));
    open ??= new Set(ownOf(await store.decisions("all", MOST_RECENT)).map(({ id }) => id));
    const ended = [...open].filter((id) => !now.has(id));
    const told = await endsOf(ended, store);
    if (told.length > 0) await client.receipts(told, signal);
    const waiting = ended.filter((id) => !told.some((one) => one.id === id));
    open = new Set([...now, ...waiting]);
  };
  return {
    async send(): Promise<void> {
      for (;;) {
        const page = await store.eventsAfter(await position(), PAGE);
        const last = page.at(-1);
        if (last === undefined) break;
        const own = page.filter(({ event }) => machineOf(event) === undefined && event.time >= since);
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

function ownOf(decisions: readonly HumanRequest[]): readonly HumanRequest[] {
  return decisions.filter(({ machine }) => machine === undefined);
}

/** How decisions have ended; without those that have not, as far as anybody knows. */
async function endsOf(ids: readonly string[], store: MonitorStore): Promise<readonly DecisionReceipt[]> {
  if (ids.length === 0) return [];
  const found = await store.update((tables) => ids.map((id) => [id, tables.decision(id)] as const));
  return found.flatMap(([id, decision]) =>
    decision === undefined ? [goneReceipt(id)] : (receiptFor(decision) ?? []),
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
    const ids = [...answers.map(({ id }) => id), ...open];
    const receipts = await endsOf(ids, store);
    if (receipts.length > 0) await client.receipts(receipts, signal);
    return { isSettled: answers.every(({ id }) => receipts.some((one) => one.id === id)) };
  };
}
