import type { HookRun } from "../core/decide/decision.ts";
import type { FailureKind } from "../core/events/effects.ts";
import { dayOf } from "../shared/day-of.ts";
import type { JournalRecord } from "./record.ts";
import { decidedIn, finalAction, saidBy } from "./verdict.ts";

/** What a hook did, by its journal records. */
export interface RecordedStats {
  readonly name: string;
  /** Set when they are counted by project. */
  readonly project?: string;
  readonly runs: number;
  readonly denials: number;
  /** How often it wanted a human to be asked. */
  readonly asks: number;
  /** How often it had an agent that wanted to stop go on. */
  readonly keep_goings: number;
  /** How often it added something that the model reads. */
  readonly contexts: number;
  /** How often it, or a rule of it, would have done something, were it not in shadow mode. */
  readonly woulds: number;
  readonly failures: number;
  readonly failures_by_kind: Readonly<Partial<Record<FailureKind, number>>>;
  readonly mean_ms: number;
  /** At most a fifth above the true one. */
  readonly p95_ms: number;
  readonly max_ms: number;
  /** ISO time. */
  readonly last_run: string;
}

/** What was decided on one day about the events of one agent. */
export interface DayStats {
  /** `2026-03-09`, where the user is. */
  readonly day: string;
  readonly agent: string;
  readonly sessions: number;
  readonly decisions: number;
  /** Refused by hooks, by a human who was asked, or because nobody could be asked. */
  readonly stopped: number;
  readonly asked: number;
  readonly keep_goings: number;
}

/** What is counted of the runs of a hook. Two counts are one when their numbers are added. */
export interface RunCount {
  runs: number;
  denials: number;
  asks: number;
  keep_goings: number;
  contexts: number;
  woulds: number;
  total_ms: number;
  max_ms: number;
  last: string;
  readonly kinds: Partial<Record<FailureKind, number>>;
  /** How many runs took about how long: see `bucketOf`. */
  readonly latencies: Record<number, number>;
}

export function emptyCount(): RunCount {
  const said = { runs: 0, denials: 0, asks: 0, keep_goings: 0, contexts: 0, woulds: 0 };
  return { ...said, total_ms: 0, max_ms: 0, last: "", kinds: {}, latencies: {} };
}

/** The runs of a record that count. A decision says that an async one began; a record of its own says how it ended. */
export function countedRuns({ type, runs }: JournalRecord): readonly HookRun[] {
  return runs.filter(({ async }) => async !== true || type === "run");
}

export function addRun(count: RunCount, run: HookRun): void {
  const { started_at, duration_ms, outcome, would, failure, skipped } = run;
  if (skipped === undefined) {
    count.runs += 1;
    count.total_ms += duration_ms;
    count.max_ms = Math.max(count.max_ms, duration_ms);
    const bucket = bucketOf(duration_ms);
    count.latencies[bucket] = (count.latencies[bucket] ?? 0) + 1;
  }
  const said = new Set(outcome === undefined ? [] : saidBy(outcome).map(([verdict]) => verdict));
  if (said.has("deny")) count.denials += 1;
  if (said.has("ask")) count.asks += 1;
  if (said.has("keep-going")) count.keep_goings += 1;
  if (said.has("context")) count.contexts += 1;
  if (would !== undefined) count.woulds += 1;
  if (failure !== undefined) count.kinds[failure.kind] = (count.kinds[failure.kind] ?? 0) + 1;
  if (started_at > count.last) count.last = started_at;
}

/** Four buckets for each doubling of the microseconds. */
const PER_DOUBLING = 4;

export function bucketOf(milliseconds: number): number {
  return Math.floor(PER_DOUBLING * Math.log2(Math.max(0, milliseconds) * 1000 + 1));
}

/** The longest duration of a bucket. */
function endOf(bucket: number): number {
  return 2 ** ((bucket + 1) / PER_DOUBLING) / 1000;
}

/** The duration that this share of the runs does not exceed: at most a fifth above the true one. */
export function percentile(latencies: Readonly<Record<number, number>>, share: number): number {
  const entries = Object.entries(latencies);
  let left = Math.ceil(entries.reduce((sum, [, number]) => sum + number, 0) * share);
  for (const [bucket, number] of entries) {
    left -= number;
    if (left <= 0) return endOf(Number(bucket));
  }
  return 0;
}

export function statsOf(name: string, project: string | undefined, count: RunCount): RecordedStats {
  const { runs, denials, asks, keep_goings, contexts, woulds, total_ms, kinds } = count;
  return {
    name,
    project,
    runs,
    denials,
    asks,
    keep_goings,
    contexts,
    woulds,
    failures: Object.values(kinds).reduce((sum, number) => sum + number, 0),
    failures_by_kind: kinds,
    mean_ms: rounded(runs === 0 ? 0 : total_ms / runs),
    p95_ms: rounded(Math.min(count.max_ms, percentile(count.latencies, 0.95))),
    max_ms: rounded(count.max_ms),
    last_run: count.last,
  };
}

/** The most frequent first. */
export function byRuns(a: RecordedStats, b: RecordedStats): number {
  const key = ({ name, project = "" }: RecordedStats): string => JSON.stringify([name, project]);
  return b.runs - a.runs || (key(a) < key(b) ? -1 : 1);
}

/** Counts the runs of each hook, or of each hook in each project. */
function runCounter() {
  const counts = new Map<string, { name: string; project: string | undefined; count: RunCount }>();
  return {
    add(record: JournalRecord, project?: string): void {
      for (const run of countedRuns(record)) {
        const key = JSON.stringify([project, run.name]);
        const { count } = counts.get(key) ?? { count: emptyCount() };
        counts.set(key, { name: run.name, project, count });
        addRun(count, run);
      }
    },
    stats: (): readonly RecordedStats[] =>
      [...counts.values()].map(({ name, project, count }) => statsOf(name, project, count)).sort(byRuns),
  };
}

/** The stats of each hook, the most frequent first. */
export async function recordedStats(
  records: AsyncIterable<JournalRecord> | Iterable<JournalRecord>,
): Promise<readonly RecordedStats[]> {
  const counter = runCounter();
  for await (const record of records) counter.add(record);
  return counter.stats();
}

function dayCounter() {
  const days = new Map<string, { readonly day: DayStats; readonly ids: Set<string> }>();
  return {
    add(record: JournalRecord): void {
      if (record.type !== "decision") return;
      const [date, agent] = [dayOf(record.time), String(record.event.host ?? "-")];
      const empty = { day: date, agent, sessions: 0, decisions: 0, stopped: 0, asked: 0, keep_goings: 0 };
      const { day, ids } = days.get(`${date} ${agent}`) ?? { day: empty, ids: new Set() };
      const { stopped, asked, keep_goings } = decidedCount(record);
      ids.add(record.session_id);
      const next = {
        ...day,
        sessions: ids.size,
        decisions: day.decisions + 1,
        stopped: day.stopped + stopped,
        asked: day.asked + asked,
        keep_goings: day.keep_goings + keep_goings,
      };
      days.set(`${date} ${agent}`, { day: next, ids });
    },
    days: (): readonly DayStats[] => [...days.values()].map(({ day }) => day).sort(byDay),
    sessions: (): number => new Set([...days.values()].flatMap(({ ids }) => [...ids])).size,
  };
}

/** All that is counted of records, by project where they have one. */
export function countedRecords(
  records: Iterable<{ readonly record: JournalRecord; readonly project?: string | undefined }>,
  byProject = false,
) {
  const [runs, days] = [runCounter(), dayCounter()];
  for (const { record, project } of records) {
    runs.add(record, byProject ? project : undefined);
    days.add(record);
  }
  return { hooks: runs.stats(), days: days.days(), sessions: days.sessions() };
}

/** The last day first, then the agent with most decisions. */
export function byDay(a: DayStats, b: DayStats): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  return b.decisions - a.decisions || (a.agent < b.agent ? -1 : 1);
}

/** What a decision adds to those of its day. */
export function decidedCount(record: JournalRecord): Pick<DayStats, "stopped" | "asked" | "keep_goings"> {
  const said = decidedIn(record).map(([verdict]) => verdict);
  return {
    stopped: finalAction(record) === "deny" ? 1 : 0,
    asked: said.includes("ask") ? 1 : 0,
    keep_goings: said.includes("keep-going") ? 1 : 0,
  };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
