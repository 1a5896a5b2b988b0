import type { FailureKind } from "../../core/events/effects.ts";
import {
  byDay,
  byRuns,
  countedRecords,
  type DayStats,
  emptyCount,
  type RecordedStats,
  type RunCount,
  statsOf,
} from "../stats.ts";
import type { Activity, ActivityQuery, ActivityStats } from "./activity.ts";
import { dayOfHour, HOUR_MILLISECONDS, hourOf, type Queries } from "./tables.ts";

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
    if (session !== undefined)
      return { since: begin, ...countedRecords(records({ since: begin, session, all: true })) };
    const where = `hour >= ? AND project IN (${projectsOf(project).join()})`;
    const ids = new Map(
      all<{ day: string; agent: number; sessions: number }>(
        `SELECT day, agent, count(DISTINCT session) AS sessions FROM sessions WHERE ${where} GROUP BY day, agent`,
        hour,
      ).map((row) => [`${row.day} ${row.agent}`, row.sessions]),
    );
    const days = all<Omit<DayStats, "sessions"> & { agent_id: number }>(
      `SELECT day, agent AS agent_id, (SELECT name FROM names WHERE id = agent) AS agent, sum(decisions) AS decisions,
         sum(stopped) AS stopped, sum(asked) AS asked, sum(keep_goings) AS keep_goings
       FROM decided WHERE ${where} GROUP BY day, agent_id`,
      hour,
    ).map(({ agent_id, day, agent, ...sums }) => {
      const sessions = ids.get(`${day} ${agent_id}`) ?? 0;
      return { day, agent, sessions, ...sums };
    });
    const [{ sessions } = { sessions: 0 }] = all<{ sessions: number }>(
      `SELECT count(DISTINCT session) AS sessions FROM sessions WHERE ${where}`,
      hour,
    );
    return { since: begin, days: days.sort(byDay), sessions, hooks: hooksIn(project, hour, byProject) };
  }

  function hooksIn(project: string | undefined, hour: number, byProject: boolean): readonly RecordedStats[] {
    const places = `project IN (${projectsOf(project).join()})`;
    const group = byProject ? "project, hook" : "hook";
    const counts = new Map<
      string,
      { readonly name: string; readonly project: string | undefined; readonly count: RunCount }
    >();
    const keyOf = (row: HookRow): string => (byProject ? `${row.project} ${row.hook}` : `${row.hook}`);
    type Named = HookRow & RunCount & { readonly name: string; readonly place: string | null };
    for (const { hook, project: of, name, place, ...sums } of all<Named>(
      `SELECT project, hook, (SELECT name FROM names WHERE id = hook) AS name, (SELECT name FROM names WHERE id = project) AS place,
         sum(runs) AS runs, sum(denials) AS denials, sum(asks) AS asks, sum(keep_goings) AS keep_goings,
         sum(contexts) AS contexts, sum(woulds) AS woulds, sum(total_ms) AS total_ms, max(max_ms) AS max_ms, max(last) AS last
       FROM hours WHERE ${places} AND hour >= ? GROUP BY ${group}`,
      hour,
    ))
      counts.set(keyOf({ hook, project: of }), {
        name,
        project: byProject ? (place ?? undefined) : undefined,
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
}
