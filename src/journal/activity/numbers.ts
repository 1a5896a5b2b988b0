import type { FailureKind } from "../../core/events/effects.ts";
import { recordedId } from "../record.ts";
import {
  byRuns,
  type DayStats,
  emptyCount,
  type RecordedStats,
  type RunCount,
  runCounter,
  statsOf,
} from "../stats.ts";
import type { Activity, ActivityQuery, ActivityStats } from "./activity.ts";
import type { Queries } from "./queries.ts";
import { dayOfHour, HOUR_MILLISECONDS, hourOf } from "./tables.ts";

interface HookRow {
  readonly hook: number;
  readonly project: number;
}

/** Reads numbers; of one session, its records are counted. */
export function numberReader({ all, idOf, projectsOf }: Queries, records: Activity["records"]) {
  return statsIn;

  function statsIn({ since, project, session }: ActivityQuery, byProject: boolean): ActivityStats {
    const hour = hourOf(since.getTime());
    const begin = new Date(hour * HOUR_MILLISECONDS);
    const where = `hour >= ? AND ${session === undefined ? `project IN (${projectsOf(project).join()})` : "session = ?"}`;
    const values = session === undefined ? [hour] : [hour, idOf(recordedId(session))];
    const days = all<DayStats>(
      `SELECT day, name AS agent, count(DISTINCT session) AS sessions, sum(decisions) AS decisions, sum(stopped) AS stopped,
         sum(asked) AS asked, sum(keep_goings) AS keep_goings
       FROM decided JOIN names ON id = agent WHERE ${where} GROUP BY day, agent ORDER BY day DESC, decisions DESC, name`,
      ...values,
    ).map((day) => ({ ...day }));
    const sessions = all<{ n: number }>(
      `SELECT count(DISTINCT session) AS n FROM decided WHERE ${where}`,
      ...values,
    )[0]?.n;
    const hooks = session === undefined ? hooksIn(project, hour, byProject) : hooksOf(session, begin);
    return { since: begin, days, sessions: sessions ?? 0, hooks };
  }

  function hooksOf(session: string, since: Date): readonly RecordedStats[] {
    const counter = runCounter();
    for (const { record } of records({ since, session, all: true })) counter.add(record);
    return counter.stats();
  }

  function hooksIn(project: string | undefined, hour: number, byProject: boolean): readonly RecordedStats[] {
    const places = `project IN (${projectsOf(project).join()})`;
    const group = byProject ? "project, hook" : "hook";
    const counts = new Map<
      string,
      { readonly name: string; readonly project: string | undefined; readonly count: RunCount }
    >();
    const nameOf = names();
    const keyOf = (row: HookRow): string => (byProject ? `${row.project} ${row.hook}` : `${row.hook}`);
    for (const { hook, project: place, ...sums } of all<HookRow & RunCount>(
      `SELECT project, hook, sum(runs) AS runs, sum(denials) AS denials, sum(asks) AS asks, sum(keep_goings) AS keep_goings,
         sum(contexts) AS contexts, sum(total_ms) AS total_ms, max(max_ms) AS max_ms, max(last) AS last
       FROM hours WHERE ${places} AND hour >= ? GROUP BY ${group}`,
      hour,
    ))
      counts.set(keyOf({ hook, project: place }), {
        name: nameOf(hook) ?? "",
        project: byProject ? nameOf(place) : undefined,
        count: { ...emptyCount(), ...sums },
      });
    for (const row of all<HookRow & { kind: FailureKind; runs: number }>(
      `SELECT project, hook, kind, sum(runs) AS runs FROM failures WHERE ${places} AND hour >= ? GROUP BY ${group}, kind`,
      hour,
    )) {
      const { kinds } = counts.get(keyOf(row))?.count ?? emptyCount();
      kinds[row.kind] = row.runs;
    }
    for (const row of all<HookRow & { bucket: number; runs: number }>(
      `SELECT project, hook, bucket, sum(runs) AS runs FROM latencies WHERE ${places} AND day >= ? GROUP BY ${group}, bucket`,
      dayOfHour(hour),
    )) {
      const { latencies } = counts.get(keyOf(row))?.count ?? emptyCount();
      latencies[row.bucket] = row.runs;
    }
    return [...counts.values()].map(({ name, project: of, count }) => statsOf(name, of, count)).sort(byRuns);
  }

  function names(): (id: number) => string | undefined {
    const known = new Map<number, string | undefined>();
    return (id) => {
      if (!known.has(id))
        known.set(id, all<{ name: string }>("SELECT name FROM names WHERE id = ?", id)[0]?.name);
      return known.get(id);
    };
  }
}
