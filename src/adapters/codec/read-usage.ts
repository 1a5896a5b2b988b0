import { isRecord } from "../../core/base/json.ts";
import { endOfFile } from "../../node/files/end-of-file.ts";
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

/** Most turns are in the first part; of a longer one, only what is in the second is counted. */
const MOST_BYTES = [256_000, 4_000_000];

/**
 * The model calls of the last turn in a transcript, read from its end; `undefined` when there are none. A large file costs no
 * more than a small one. Never throws.
 */
export function usageIn(path: unknown, format: UsageFormat): NativeUsage | undefined {
  if (typeof path !== "string") return undefined;
  let calls: readonly ModelCall[] = [];
  for (const most of MOST_BYTES) {
    const turn = lastTurn(endOfFile(path, most), format);
    calls = turn.calls;
    if (turn.begun) break;
  }
  return calls.length === 0 ? undefined : { calls };
}

/** The calls of the last turn of a text that have been made, the last one first. */
function lastTurn(text: string, { marks, skipped, call, begins }: UsageFormat) {
  const calls = new Map<unknown, ModelCall>();
  for (const line of text.split("\n").reverse()) {
    if (!marks.some((mark) => line.includes(mark))) continue;
    if (skipped !== undefined && line.includes(skipped)) continue;
    const entry = entryOf(line);
    const made = call(entry);
    if (made !== undefined) {
      const id = made.id ?? calls.size;
      if (!calls.has(id)) calls.set(id, made);
      // A prompt that was not answered yet has used nothing: then the turn before it counts.
    } else if (begins(entry) && calls.size > 0) return { calls: [...calls.values()], begun: true };
  }
  return { calls: [...calls.values()], begun: false };
}

function entryOf(line: string): Entry {
  try {
    const entry: unknown = JSON.parse(line);
    return isRecord(entry) ? entry : {};
  } catch {
    // The first line may be cut.
    return {};
  }
}

/** A number of tokens; 0 for anything else. */
export function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : 0;
}

/** An object's own fields, or none. */
export function fieldsOf(value: unknown): Entry {
  return isRecord(value) ? value : {};
}
