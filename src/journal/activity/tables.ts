import type { Migrations } from "../../node/sqlite/migrate.ts";
import type { OpenDatabase } from "../../node/sqlite/open-database.ts";

/*
 * `calls` is what lists and filters need: `verdict` is the index of one of CALL_VERDICTS, `said` who said what, see said.ts.
 * `bodies` has the whole record, which is read for few. `hours`, `failures`, `latencies`, `decided`, `rules` and `paces` are
 * sums, and `sessions` says on which days there was one, so that no number needs the records. Names are numbers; 0 is a
 * project, an agent or a rule that nobody knows.
 */

export const MIGRATIONS: Migrations = [
  `CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE projects (project INTEGER PRIMARY KEY) STRICT;
   CREATE TABLE marks (file TEXT PRIMARY KEY, at INTEGER NOT NULL, lines INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE damage (file TEXT NOT NULL, line INTEGER NOT NULL, time INTEGER NOT NULL) STRICT;
   CREATE TABLE calls (
     seq INTEGER PRIMARY KEY, call INTEGER UNIQUE, time INTEGER NOT NULL, session INTEGER NOT NULL, project INTEGER NOT NULL,
     tool_use TEXT, shown INTEGER NOT NULL, notable INTEGER NOT NULL, verdict INTEGER NOT NULL, event INTEGER NOT NULL,
     tool INTEGER NOT NULL, hook INTEGER, took REAL NOT NULL, summary TEXT NOT NULL, reason TEXT, agent INTEGER NOT NULL,
     said TEXT NOT NULL
   ) STRICT;
   CREATE INDEX calls_by_project ON calls (project, time);
   CREATE INDEX calls_shown ON calls (project, time) WHERE shown = 1;
   CREATE INDEX calls_by_session ON calls (session, time);
   CREATE INDEX calls_by_tool_use ON calls (tool_use) WHERE tool_use IS NOT NULL;
   CREATE INDEX calls_by_age ON calls (notable, time);
   CREATE INDEX calls_by_time ON calls (time);
   CREATE INDEX calls_by_agent ON calls (agent, time);
   CREATE TABLE bodies (seq INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
   CREATE TABLE hours (
     project INTEGER NOT NULL, hour INTEGER NOT NULL, hook INTEGER NOT NULL, runs INTEGER NOT NULL,
     denials INTEGER NOT NULL, asks INTEGER NOT NULL, keep_goings INTEGER NOT NULL, contexts INTEGER NOT NULL,
     woulds INTEGER NOT NULL,
     total_ms REAL NOT NULL, max_ms REAL NOT NULL, last TEXT NOT NULL, PRIMARY KEY (project, hour, hook)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE failures (
     project INTEGER NOT NULL, hour INTEGER NOT NULL, hook INTEGER NOT NULL, kind TEXT NOT NULL, runs INTEGER NOT NULL,
     PRIMARY KEY (project, hour, hook, kind)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE latencies (
     project INTEGER NOT NULL, day INTEGER NOT NULL, hook INTEGER NOT NULL, bucket INTEGER NOT NULL, runs INTEGER NOT NULL,
     PRIMARY KEY (project, day, hook, bucket)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE decided (
     project INTEGER NOT NULL, hour INTEGER NOT NULL, agent INTEGER NOT NULL, day TEXT NOT NULL, decisions INTEGER NOT NULL,
     stopped INTEGER NOT NULL, asked INTEGER NOT NULL, keep_goings INTEGER NOT NULL, PRIMARY KEY (project, hour, agent)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE sessions (
     project INTEGER NOT NULL, day TEXT NOT NULL, agent INTEGER NOT NULL, session INTEGER NOT NULL, hour INTEGER NOT NULL,
     PRIMARY KEY (project, day, agent, session)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE rules (
     project INTEGER NOT NULL, hour INTEGER NOT NULL, agent INTEGER NOT NULL, hook INTEGER NOT NULL, rule INTEGER NOT NULL,
     runs INTEGER NOT NULL, denials INTEGER NOT NULL, asks INTEGER NOT NULL, rewrites INTEGER NOT NULL,
     woulds INTEGER NOT NULL, failures INTEGER NOT NULL, PRIMARY KEY (project, hour, agent, hook, rule)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE paces (
     project INTEGER NOT NULL, hour INTEGER NOT NULL, agent INTEGER NOT NULL, bucket INTEGER NOT NULL, runs INTEGER NOT NULL,
     PRIMARY KEY (project, hour, agent, bucket)
   ) STRICT, WITHOUT ROWID;`,
];

export const HOUR_MILLISECONDS = 60 * 60 * 1000;
const HOURS_OF_DAY = 24;

export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MILLISECONDS);
}

export function dayOfHour(hour: number): number {
  return Math.floor(hour / HOURS_OF_DAY);
}

type Value = string | number;

/** What all readers of the store ask. */
export interface Queries {
  /** The rows were written by us. */
  readonly all: <Row>(sql: string, ...values: readonly Value[]) => readonly Row[];
  /** The number of a name; an unused number if the name is unknown. */
  readonly idOf: (name: string) => number;
  /** The numbers of a project and of no project, or of all. */
  readonly projectsOf: (project: string | undefined) => readonly number[];
}

export function queriesIn({ prepared }: OpenDatabase): Queries {
  const all: Queries["all"] = (sql, ...values) => prepared(sql).all(...values);
  const idOf = (name: string): number =>
    all<{ id: number }>("SELECT id FROM names WHERE name = ?", name)[0]?.id ?? -1;
  return {
    all,
    idOf,
    projectsOf: (project) =>
      project === undefined
        ? all<{ project: number }>("SELECT project FROM projects").map((row) => row.project)
        : [idOf(project), 0],
  };
}
