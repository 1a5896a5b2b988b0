import { dayOf } from "../../shared/day-of.ts";
import { percentile } from "../stats.ts";
import { dayOfHour, HOUR_MILLISECONDS, hourOf, type Queries } from "./tables.ts";

/** Which time and which project numbers are about. */
export interface FigureQuery {
  readonly since: Date;
  readonly until: Date;
  readonly project?: string | undefined;
}

/** How long hooks took, in milliseconds. */
export interface Pace {
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
}

/** What happened in an hour. Absent numbers: no hook ran. */
export interface HourFigures extends Partial<Pace> {
  /** When it began, in milliseconds since 1970. */
  readonly time: number;
  readonly decisions: number;
  readonly stopped: number;
  readonly asked: number;
  readonly runs: number;
  readonly failures: number;
}

/** What numbers are told by. */
export const GROUPINGS = ["hook", "rule", "agent", "project"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The numbers of a hook, a rule, an agent or a project. */
export interface GroupFigures extends Partial<Pace> {
  /** `-` is an agent, and nothing a project, that nobody knows. */
  readonly name: string;
  /** The hook of a rule. */
  readonly hook?: string;
  /** Of a hook or a rule: how often it ran, and what it said. Of an agent or a project: its calls, and what came of them. */
  readonly runs: number;
  readonly denials: number;
  readonly asks: number;
  readonly rewrites: number;
  readonly woulds: number;
  readonly failures: number;
  /** How often it stopped or asked, by hour. */
  readonly stops: readonly (readonly [time: number, stops: number])[];
}

interface CountRow extends Omit<GroupFigures, "name" | "hook" | "stops" | keyof Pace> {
  readonly key: string | number;
  readonly name: string | null;
  readonly hook: string | null;
}

/** Which row of a grouping a row of the store belongs to. */
const KEYS: Readonly<Record<Grouping, string>> = {
  hook: "hook",
  rule: "hook || '.' || rule",
  agent: "agent",
  project: "project",
};

/** Reads numbers over time, and by what they are about. All come from sums: none needs the records. */
export function figureReader({ all, projectsOf }: Queries) {
  const within = ({ since, until, project }: FigureQuery, column: "hour" | "day" = "hour"): string => {
    const hoursOrDays = [since.getTime(), until.getTime() - 1].map(hourOf);
    const [from = 0, to = 0] = column === "hour" ? hoursOrDays : hoursOrDays.map(dayOfHour);
    return `${column} BETWEEN ${from} AND ${to} AND project IN (${projectsOf(project).join()})`;
  };

  function paces(column: string, table: "paces" | "latencies", where: string): ReadonlyMap<number, Pace> {
    const found = new Map<number, Record<number, number>>();
    for (const { key, bucket, runs } of all<{ key: number; bucket: number; runs: number }>(
      `SELECT ${column} AS key, bucket, sum(runs) AS runs FROM ${table} WHERE ${where} GROUP BY key, bucket`,
    )) {
      const buckets = found.get(key) ?? {};
      found.set(key, buckets);
      buckets[bucket] = runs;
    }
    return new Map([...found].map(([key, buckets]) => [key, paceOf(buckets)]));
  }

  /** By hour, the oldest first; hours in which nothing happened are left out. */
  function hours(query: FigureQuery): readonly HourFigures[] {
    const where = within(query);
    const pace = paces("hour", "paces", where);
    return all<Omit<HourFigures, keyof Pace> & { hour: number }>(
      `SELECT hour, hour * ${HOUR_MILLISECONDS} AS time, sum(decisions) AS decisions, sum(stopped) AS stopped,
         sum(asked) AS asked, sum(runs) AS runs, sum(failures) AS failures FROM (
           SELECT hour, decisions, stopped, asked, 0 AS runs, 0 AS failures FROM decided WHERE ${where}
           UNION ALL SELECT hour, 0, 0, 0, runs, failures FROM rules WHERE ${where})
       GROUP BY hour ORDER BY hour`,
    ).map(({ hour, ...sums }) => ({ ...sums, ...pace.get(hour) }));
  }

  /** The sessions in which something was decided. */
  function sessions({ since, until, project }: FigureQuery): number {
    const [found] = all<{ sessions: number }>(
      `SELECT count(DISTINCT session) AS sessions FROM sessions
       WHERE hour >= ? AND day <= ? AND project IN (${projectsOf(project).join()})`,
      hourOf(since.getTime()),
      dayOf(until.getTime()),
    );
    return found?.sessions ?? 0;
  }

  /** All hooks together. */
  function pace(query: FigureQuery): Pace | undefined {
    return paces("0", "paces", within(query)).get(0);
  }

  /** Those that stopped most first. */
  function groups(by: Grouping, query: FigureQuery): readonly GroupFigures[] {
    const rows = by === "hook" || by === "rule" ? runRows(by, query) : callRows(by, query);
    const stops = stopsBy(by, query);
    const found = rows.map(
      ({ key, name, hook, runs, denials, asks, rewrites, woulds, failures, pace: took }): GroupFigures => ({
        name: name ?? "",
        ...(hook === null || by !== "rule" ? {} : { hook }),
        ...{ runs, denials, asks, rewrites, woulds, failures },
        ...took,
        stops: stops.get(String(key)) ?? [],
      }),
    );
    const stopped = ({ denials, asks }: GroupFigures): number => denials + asks;
    return found.sort(
      (one, other) =>
        stopped(other) - stopped(one) || other.runs - one.runs || (one.name < other.name ? -1 : 1),
    );
  }

  type Found = CountRow & { readonly pace: Pace | undefined };

  /** Hooks or rules. Rules have no time of their own: theirs is that of their hook. */
  function runRows(by: "hook" | "rule", query: FigureQuery): readonly Found[] {
    const took = paces("hook", "latencies", within(query, "day"));
    return all<CountRow & { hook_id: number }>(
      `SELECT ${KEYS[by]} AS key, hook AS hook_id, (SELECT name FROM names WHERE id = ${by}) AS name,
         (SELECT name FROM names WHERE id = rules.hook) AS hook, sum(runs) AS runs, sum(denials) AS denials,
         sum(asks) AS asks, sum(rewrites) AS rewrites, sum(woulds) AS woulds, sum(failures) AS failures
       FROM rules WHERE ${within(query)} ${by === "rule" ? "AND rule > 0" : ""} GROUP BY key`,
    ).map((row) => ({ ...row, pace: took.get(row.hook_id) }));
  }

  /** Agents or projects: what is counted of them is calls. */
  function callRows(by: "agent" | "project", query: FigureQuery): readonly Found[] {
    const where = within(query);
    const took = paces(by, "paces", where);
    // Decisions of agents that nobody knows have the name "-", runs have 0.
    const agent = "iif((SELECT name FROM names WHERE id = agent) = '-', 0, agent) AS agent";
    return all<CountRow>(
      `SELECT ${by} AS key, (SELECT name FROM names WHERE id = ${by}) AS name, NULL AS hook, sum(decisions) AS runs,
         sum(stopped) AS denials, sum(asked) AS asks, sum(rewrites) AS rewrites, sum(woulds) AS woulds, sum(failures) AS failures
       FROM (SELECT ${agent}, project, decisions, stopped, asked, 0 AS rewrites, 0 AS woulds, 0 AS failures FROM decided WHERE ${where}
         UNION ALL SELECT agent, project, 0, 0, 0, rewrites, woulds, failures FROM rules WHERE ${where})
       GROUP BY key HAVING sum(decisions) > 0`,
    ).map((row) => ({
      ...row,
      name: by === "agent" ? (row.name ?? "-") : row.name,
      pace: took.get(Number(row.key)),
    }));
  }

  function stopsBy(
    by: Grouping,
    query: FigureQuery,
  ): ReadonlyMap<string, readonly (readonly [number, number])[]> {
    const found = new Map<string, (readonly [number, number])[]>();
    for (const { key, hour, stops } of all<{ key: string | number; hour: number; stops: number }>(
      `SELECT ${KEYS[by]} AS key, hour, sum(denials + asks) AS stops FROM rules WHERE ${within(query)}
       GROUP BY key, hour HAVING stops > 0 ORDER BY hour`,
    )) {
      const own = found.get(String(key)) ?? [];
      found.set(String(key), own);
      own.push([hour * HOUR_MILLISECONDS, stops]);
    }
    return found;
  }

  return { hours, sessions, pace, groups };
}

function paceOf(buckets: Readonly<Record<number, number>>): Pace {
  const [p50_ms = 0, p95_ms = 0, p99_ms = 0] = [0.5, 0.95, 0.99].map((share) => percentile(buckets, share));
  return { p50_ms, p95_ms, p99_ms };
}
