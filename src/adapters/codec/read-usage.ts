import { isRecord, parseRecord } from "../../core/base/json.ts";
import { endOfFile } from "../../node/files/regular-file.ts";
import type { ModelCall, NativeUsage } from "../adapter.ts";

type Entry = Readonly<Record<string, unknown>>;

/** How an agent writes into its transcript, JSON lines, what its model calls used. */
export interface UsageFormat {
  /** Texts of which an entry has one that says something; other lines are not parsed. */
  readonly marks: readonly string[];
  /** A text of long entries that have a mark and say nothing. */
  readonly skipped?: string;
  /** A model call; `undefined` for any other entry. Entries with the same `id` are one call: the last one counts. */
  call(entry: Entry): ModelCall | undefined;
  /** True for the entry that begins a turn. */
  begins(entry: Entry): boolean;
}

/** The marked entries near the end of a transcript, the last one first. Never throws. */
export function* lastEntries(
  path: string,
  mostBytes: number,
  { marks, skipped }: Pick<UsageFormat, "marks" | "skipped">,
): Generator<Entry> {
  for (const line of endOfFile(path, mostBytes).split("\n").reverse()) {
    if (!marks.some((mark) => line.includes(mark))) continue;
    if (skipped === undefined || !line.includes(skipped)) yield parseRecord(line);
  }
}

const MOST_BYTES_OF_TEXTS = 1_000_000;

/** The last texts the model wrote, the last one first; none when they can't be found. Never throws. */
export function* lastTextsIn(path: unknown, textOf: (entry: Entry) => string): Generator<string> {
  if (typeof path !== "string") return;
  for (const entry of lastEntries(path, MOST_BYTES_OF_TEXTS, { marks: [""] })) {
    const text = textOf(entry);
    if (text !== "") yield text;
  }
}

/** When an entry was written, in milliseconds. */
export function timeOf({ timestamp }: Entry): number | undefined {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Most turns are in the first part; of a longer one, only what is in the second is counted. */
const MOST_BYTES = [256_000, 4_000_000];

/**
 * The model calls of the last turn in a transcript, read from its end; `undefined` when there are no calls at all. A large
 * file costs no more than a small one. Never throws.
 */
export function usageIn(path: unknown, format: UsageFormat): NativeUsage | undefined {
  if (typeof path !== "string") return undefined;
  let found: NativeUsage | undefined;
  for (const most of MOST_BYTES) {
    const { whole, ...turn } = lastTurn(lastEntries(path, most, format), format);
    if (turn.calls.length > 0 || turn.before !== undefined) found = turn;
    if (whole) break;
  }
  return found;
}

/** The calls of the last turn; `whole` unless an earlier part may have more to say. */
function lastTurn(
  entries: Iterable<Entry>,
  { call, begins }: UsageFormat,
): NativeUsage & { readonly whole: boolean } {
  const calls = new Map<unknown, ModelCall>();
  let unanswered = false;
  let begun = false;
  for (const entry of entries) {
    const made = call(entry);
    const end = { whole: true, since: timeOf(entry) };
    if (made !== undefined && unanswered) return { calls: [], before: made, ...end };
    if (made !== undefined && begun) return { calls: [...calls.values()], ...end };
    if (made !== undefined) {
      const id = made.id ?? calls.size;
      if (!calls.has(id)) calls.set(id, made);
    } else if (begins(entry)) {
      if (calls.size > 0) begun = true;
      else unanswered = true;
    }
  }
  return { calls: [...calls.values()], whole: begun };
}

/** The model calls in a file after a time, as far as its end has them. Never throws. */
export function callsSince(path: string, format: UsageFormat, time: number): readonly ModelCall[] {
  const [, most = 0] = MOST_BYTES;
  const calls = new Map<unknown, ModelCall>();
  for (const entry of lastEntries(path, most, format)) {
    const made = format.call(entry);
    const id = made?.id ?? calls.size;
    if (made !== undefined && (timeOf(entry) ?? 0) > time && !calls.has(id)) calls.set(id, made);
  }
  return [...calls.values()];
}

/** A number of tokens; 0 for anything else. */
export function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : 0;
}

export function fieldsOf(value: unknown): Entry {
  return isRecord(value) ? value : {};
}
