import type { HookRun } from "../../core/decide/decision.ts";
import type { OpenDatabase } from "../../node/sqlite/open-database.ts";
import { dayOf } from "../../shared/day-of.ts";
import type { JournalRecord } from "../record.ts";
import { addRun, bucketOf, countedRuns, decidedCount, emptyCount, type RunCount } from "../stats.ts";
import { decidedIn, finalAction, isRefusal, isTelling } from "../verdict.ts";
import { CALL_VERDICTS, callColumns } from "./call-columns.ts";
import { ruleOf, saidIn, saidText } from "./said.ts";
import { dayOfHour, hourOf } from "./tables.ts";

/** A line of a journal; without a record it is damaged. */
export interface Taken {
  readonly text: string;
  readonly record: JournalRecord | undefined;
  readonly project: string | undefined;
  readonly file?: string;
  readonly line?: number;
}

/** The ids of calls that may be recorded twice: by a daemon that was killed, and by the process that decided instead. */
const CALL = /^call([0-9a-f]{13})[0-9a-f]{11}-1$/;
const LATE_MILLISECONDS = 24 * 60 * 60 * 1000;
/** Each session is a name, too. */
const MOST_NAMES = 10_000;

export type Names = ReturnType<typeof namesIn>;

/** Names as numbers. */
export function namesIn({ prepared }: OpenDatabase) {
  const known = new Map<string, number>();
  return {
    idOf(name: string): number {
      const id = known.get(name) ?? newId(name);
      if (known.size >= MOST_NAMES) known.clear();
      known.set(name, id);
      return id;
    },
    /** After a transaction that failed: it has made no names. */
    forget: () => known.clear(),
  };
  function newId(name: string): number {
    prepared("INSERT OR IGNORE INTO names (name) VALUES (?)").run(name);
    const row: { readonly id: number } = prepared("SELECT id FROM names WHERE name = ?").get(name);
    return row.id;
  }
}

/** Adds records with all that is counted of them. For a transaction. */
export function addRecords(open: OpenDatabase, { idOf }: Names, lines: readonly Taken[]): void {
  const { prepared } = open;
  const now = Date.now();
  const hours = new Map<string, { readonly key: readonly number[]; readonly count: RunCount }>();
  const days: Sums = new Map();
  const [rules, paces]: readonly [Sums, Sums] = [new Map(), new Map()];
  const projects = new Set<number>();
  const sessions = new Map<string, readonly (number | string)[]>();
  /** Calls of which there was a record: what follows about them was counted, too. */
  const second = new Set<string>();
  for (const { text, record, project: folder, file = "", line = 0 } of lines) {
    if (record === undefined) {
      if (text !== "") prepared("INSERT INTO damage VALUES (?, ?, ?)").run(file, line, now);
      continue;
    }
    const { type, event_id, event } = record;
    const time = timeOf(record, now);
    const session = idOf(record.session_id);
    const project = folder === undefined ? 0 : idOf(folder);
    const agent = typeof event.host === "string" ? idOf(event.host) : 0;
    projects.add(project);
    // A part of the random number, which is small to store.
    const [, random] = (type === "decision" && CALL.exec(event_id)) || [];
    const call = random === undefined ? null : Number.parseInt(random, 16);
    const isAdded =
      !(type === "more" && second.has(event_id)) &&
      prepared(
        `INSERT OR IGNORE INTO calls (call, time, session, project, tool_use, shown, notable,
           verdict, event, tool, hook, took, summary, reason, agent, said)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        ...[call, time, session, project, ...featuresOf(record), ...columnsOf(record, idOf)],
        ...[agent, saidText(record.runs, idOf)],
      ).changes === 1;
    if (!isAdded) {
      second.add(event_id);
      continue;
    }
    prepared("INSERT INTO bodies VALUES (last_insert_rowid(), ?)").run(text);
    const hour = hourOf(time);
    for (const run of countedRuns(record)) {
      const key = [project, hour, idOf(run.name)];
      const { count } = hours.get(key.join()) ?? { count: emptyCount() };
      hours.set(key.join(), { key, count });
      addRun(count, run);
      const rule = ruleOf(run);
      add(
        rules,
        [project, hour, agent, idOf(run.name), rule === undefined ? 0 : idOf(rule)],
        ruleCounts(run),
      );
      if (run.skipped === undefined) add(paces, [project, hour, agent, bucketOf(run.duration_ms)], [1]);
    }
    if (type !== "decision") continue;
    const [host, day] = [idOf(String(event.host ?? "-")), dayOf(time)];
    sessions.set([project, day, host, session].join(), [project, day, host, session, hour]);
    const { stopped, asked, keep_goings } = decidedCount(record);
    add(days, [project, hour, host, day], [1, stopped, asked, keep_goings]);
  }
  for (const project of projects) prepared("INSERT OR IGNORE INTO projects VALUES (?)").run(project);
  for (const { key, count } of hours.values()) addHour(open, key, count);
  for (const { key, counts } of days.values()) prepared(ADD_DECIDED).run(...key, ...counts);
  for (const { key, counts } of rules.values()) prepared(ADD_RULE).run(...key, ...counts);
  for (const { key, counts } of paces.values()) prepared(ADD_PACE).run(...key, ...counts);
  for (const one of sessions.values()) prepared(ADD_SESSION).run(...one);
}

/** What is added up, by what it is about. */
type Sums = Map<string, { readonly key: readonly (number | string)[]; readonly counts: number[] }>;

function add(sums: Sums, key: readonly (number | string)[], numbers: readonly number[]): void {
  const { counts } = sums.get(key.join()) ?? { counts: [] };
  sums.set(key.join(), { key, counts });
  for (const [at, number] of numbers.entries()) counts[at] = (counts[at] ?? 0) + number;
}

/** In the order of the columns. */
function ruleCounts(run: HookRun): readonly number[] {
  const said = saidIn(run);
  const ran = run.skipped === undefined ? 1 : 0;
  return [ran, ...RULE_COUNTS.map((one) => (said.includes(one) ? 1 : 0))];
}

/** An unreadable time, and one that has not come yet, is that of now. */
function timeOf({ time }: JournalRecord, now: number): number {
  const read = Date.parse(time);
  return Number.isNaN(read) || read > now + LATE_MILLISECONDS ? now : read;
}

/** The call it is about, whether the log shows it, and whether it is a refusal, a question or a failure. */
function featuresOf(record: JournalRecord): readonly [string | null, number, number] {
  const { event, runs } = record;
  const { tool_use_id, hook_event_name: name } = event;
  const isShown = isTelling(record);
  const isResult = name === "PostToolUse" || name === "PostToolUseFailure";
  const isNotable =
    finalAction(record) === "deny" ||
    isRefusal(record) ||
    decidedIn(record).some(([said]) => said === "ask") ||
    runs.some(({ failure }) => failure !== undefined);
  const toolUse = typeof tool_use_id === "string" && (isShown || isResult) ? tool_use_id : null;
  return [toolUse, isShown ? 1 : 0, isNotable ? 1 : 0];
}

function columnsOf(record: JournalRecord, idOf: (name: string) => number) {
  const { verdict, event, tool, hook, took, summary, reason } = callColumns(record);
  const decider = hook === undefined ? null : idOf(hook);
  const named = [CALL_VERDICTS.indexOf(verdict), idOf(event), tool === "" ? 0 : idOf(tool), decider] as const;
  return [...named, took, summary, reason ?? null] as const;
}

const COUNTED = ["runs", "denials", "asks", "keep_goings", "contexts", "woulds", "total_ms"] as const;
const ADD_HOUR = `INSERT INTO hours VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET ${COUNTED.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")},
    max_ms = max(max_ms, excluded.max_ms), last = max(last, excluded.last)`;
const ADD_FAILURE = `INSERT INTO failures VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET runs = runs + excluded.runs`;
const ADD_LATENCY = `INSERT INTO latencies VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET runs = runs + excluded.runs`;
const ADD_DECIDED = `INSERT INTO decided VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET decisions = decisions + excluded.decisions, stopped = stopped + excluded.stopped,
    asked = asked + excluded.asked, keep_goings = keep_goings + excluded.keep_goings`;

const RULE_COUNTS = ["deny", "ask", "rewrite", "would", "failed"] as const;
const ADD_RULE = `INSERT INTO rules VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, denials = denials + excluded.denials, asks = asks + excluded.asks,
    rewrites = rewrites + excluded.rewrites, woulds = woulds + excluded.woulds, failures = failures + excluded.failures`;
const ADD_PACE = `INSERT INTO paces VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET runs = runs + excluded.runs`;

const ADD_SESSION = `INSERT INTO sessions VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET hour = max(hour, excluded.hour)`;

function addHour({ prepared }: OpenDatabase, key: readonly number[], count: RunCount): void {
  const [project = 0, hour = 0, hook = 0] = key;
  const counted = COUNTED.map((name) => count[name]);
  prepared(ADD_HOUR).run(project, hour, hook, ...counted, count.max_ms, count.last);
  for (const [kind, runs] of Object.entries(count.kinds))
    prepared(ADD_FAILURE).run(project, hour, hook, kind, runs);
  for (const [bucket, runs] of Object.entries(count.latencies))
    prepared(ADD_LATENCY).run(project, dayOfHour(hour), hook, Number(bucket), runs);
}
