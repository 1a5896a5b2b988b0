import type { FailureKind } from "../../core/events/effects.ts";
import {
  byDay,
  byRuns,
  type DayStats,
  dayCounter,
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
export function numberReader({ all, projectsOf }: Queries, records: Activity["records"]) {
  return statsIn;

  function statsIn({ since, project, session }: ActivityQuery, byProject: boolean): ActivityStats {
    const hour = hourOf(since.getTime());
    const begin = new Date(hour * HOUR_MILLISECONDS);
    if (session !== undefined) return { since: begin, ...ofSession(session, begin) };
    const where = `hour >= ? AND project IN (${projectsOf(project).join()})`;
    const nameOf = names();
    const ids = new Map(
      all<{ day: string; agent: number; sessions: number }>(
        `SELECT day, agent, count(DISTINCT session) AS sessions FROM sessions WHERE ${where} GROUP BY day, agent`,
        hour,
      ).map((row) => [`${row.day} ${row.agent}`, row.sessions]),
    );
    const days = all<Omit<DayStats, "agent" | "sessions"> & { agent: number }>(
      `SELECT day, agent, sum(decisions) AS decisions, sum(stopped) AS stopped, sum(asked) AS asked,
         sum(keep_goings) AS keep_goings FROM decided WHERE ${where} GROUP BY day, agent`,
      hour,
    ).map(({ day, agent, ...sums }) => ({
      day,
      agent: nameOf(agent) ?? "",
      sessions: ids.get(`${day} ${agent}`) ?? 0,
      ...sums,
    }));
    const [{ sessions } = { sessions: 0 }] = all<{ sessions: number }>(
      `SELECT count(DISTINCT session) AS sessions FROM sessions WHERE ${where}`,
      hour,
    );
    return { since: begin, days: days.sort(byDay), sessions, hooks: hooksIn(project, hour, byProject) };
  }

  function ofSession(session: string, since: Date): Omit<ActivityStats, "since"> {
    const [runs, days] = [runCounter(), dayCounter()];
    for (const { record } of records({ since, session, all: true })) {
      runs.add(record);
      days.add(record);
    }
    return { days: days.days(), sessions: days.sessions(), hooks: runs.stats() };
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
         sum(contexts) AS contexts, sum(woulds) AS woulds, sum(total_ms) AS total_ms, max(max_ms) AS max_ms, max(last) AS last
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
