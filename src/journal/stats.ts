import type { HookRun } from "../core/decide/decision.ts";
import type { FailureKind } from "../core/events/effects.ts";
import type { JournalRecord } from "./record.ts";
import { decidedIn, finalAction, saidBy, type Verdict } from "./verdict.ts";

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
  readonly failures: number;
  readonly failures_by_kind: Readonly<Partial<Record<FailureKind, number>>>;
  readonly mean_ms: number;
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

/** Counts decisions by day and agent, the last day first. */
export function dayCounter(dayOf: (time: string) => string) {
  const counts = new Map<string, { -readonly [Key in keyof DayStats]: DayStats[Key] }>();
  const sessions = new Map<string, Set<string>>();
  return {
    add(record: JournalRecord): void {
      const agent = String(record.event.host ?? "-");
      const key = JSON.stringify([dayOf(record.time), agent]);
      const empty = { day: dayOf(record.time), agent, sessions: 0 };
      const count = counts.get(key) ?? { ...empty, decisions: 0, stopped: 0, asked: 0, keep_goings: 0 };
      counts.set(key, count);
      const ids = sessions.get(key) ?? new Set();
      sessions.set(key, ids.add(record.session_id));
      count.sessions = ids.size;
      count.decisions += 1;
      if (finalAction(record) === "deny") count.stopped += 1;
      const said = decidedIn(record).map(([verdict]) => verdict);
      if (said.includes("ask")) count.asked += 1;
      if (said.includes("keep-going")) count.keep_goings += 1;
    },
    days: (): readonly DayStats[] =>
      [...counts.values()].sort(
        (a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0) || b.decisions - a.decisions,
      ),
  };
}

interface Count {
  readonly name: string;
  readonly project: string | undefined;
  readonly durations: number[];
  readonly said: Map<Verdict, number>;
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
      const empty = { name, project, durations: [], said: new Map(), kinds: new Map(), last: "" };
      const count: Count = counts.get(key) ?? empty;
      counts.set(key, count);
      add(count, run);
    }
  }
  return [...counts.values()].map(statsOf).sort((a, b) => b.runs - a.runs || (a.name < b.name ? -1 : 1));
}

function add(count: Count, { started_at, duration_ms, outcome, failure, skipped }: HookRun): void {
  if (skipped === undefined) count.durations.push(duration_ms);
  for (const [verdict] of outcome === undefined ? [] : saidBy(outcome))
    count.said.set(verdict, (count.said.get(verdict) ?? 0) + 1);
  if (failure !== undefined) count.kinds.set(failure.kind, (count.kinds.get(failure.kind) ?? 0) + 1);
  if (started_at > count.last) count.last = started_at;
}

function statsOf({ name, project, durations, said, kinds, last }: Count): RecordedStats {
  const sorted = [...durations].sort((a, b) => a - b);
  const total = sorted.reduce((sum, duration) => sum + duration, 0);
  return {
    name,
    ...(project === undefined ? {} : { project }),
    runs: sorted.length,
    denials: said.get("deny") ?? 0,
    asks: said.get("ask") ?? 0,
    keep_goings: said.get("keep-going") ?? 0,
    contexts: said.get("context") ?? 0,
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
