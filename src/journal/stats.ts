import type { HookRun } from "../core/decide/decision.ts";
import type { FailureKind } from "../core/events/effects.ts";
import type { JournalRecord } from "./record.ts";

/** What a hook did, by its journal records. */
export interface RecordedStats {
  readonly name: string;
  /** Set when they are counted by project. */
  readonly project?: string;
  readonly runs: number;
  readonly denials: number;
  /** How often it wanted a human to be asked. */
  readonly asks: number;
  readonly failures: number;
  readonly failures_by_kind: Readonly<Partial<Record<FailureKind, number>>>;
  readonly mean_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
  /** ISO time. */
  readonly last_run: string;
}

interface Count {
  readonly name: string;
  readonly project: string | undefined;
  readonly durations: number[];
  denials: number;
  asks: number;
  readonly kinds: Map<FailureKind, number>;
  last: string;
}

/** The stats of each hook, the most frequent first; by `projectOf`, of each hook in each project. */
export async function recordedStats(
  records: AsyncIterable<JournalRecord> | Iterable<JournalRecord>,
  projectOf: (record: JournalRecord) => string | undefined = () => undefined,
): Promise<readonly RecordedStats[]> {
  const counts = new Map<string, Count>();
  for await (const record of records) {
    const { type, runs } = record;
    const project = projectOf(record);
    for (const run of runs) {
      // The decision says that it began; a record of its own says how it ended.
      if (run.async === true && type !== "run") continue;
      const { name } = run;
      const key = JSON.stringify([project, name]);
      const empty = { name, project, durations: [], denials: 0, asks: 0, kinds: new Map(), last: "" };
      const count: Count = counts.get(key) ?? empty;
      counts.set(key, count);
      add(count, run);
    }
  }
  return [...counts.values()].map(statsOf).sort((a, b) => b.runs - a.runs || (a.name < b.name ? -1 : 1));
}

function add(count: Count, { started_at, duration_ms, outcome, failure, skipped }: HookRun): void {
  if (skipped === undefined) count.durations.push(duration_ms);
  if (outcome?.action === "deny") count.denials += 1;
  if (outcome?.action === "ask") count.asks += 1;
  if (failure !== undefined) count.kinds.set(failure.kind, (count.kinds.get(failure.kind) ?? 0) + 1);
  if (started_at > count.last) count.last = started_at;
}

function statsOf({ name, project, durations, denials, asks, kinds, last }: Count): RecordedStats {
  const sorted = [...durations].sort((a, b) => a - b);
  const total = sorted.reduce((sum, duration) => sum + duration, 0);
  return {
    name,
    ...(project === undefined ? {} : { project }),
    runs: sorted.length,
    denials,
    asks,
    failures: [...kinds.values()].reduce((sum, number) => sum + number, 0),
    failures_by_kind: Object.fromEntries(kinds),
    mean_ms: rounded(sorted.length === 0 ? 0 : total / sorted.length),
    p95_ms: rounded(sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0),
    max_ms: rounded(sorted.at(-1) ?? 0),
    last_run: last,
  };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
