import type { Migrations } from "../../node/sqlite/migrate.ts";

/*
 * `calls` is what lists and filters need, `bodies` the whole record, which is read for few. `hours`, `failures`,
 * `latencies`, `decided`, `rules` and `paces` are sums, and `sessions` says on which days there was one, so that no number
 * needs the records. Names are numbers; 0 is a project, an agent or a rule that nobody knows.
 */

export const MIGRATIONS: Migrations = [
  `CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
   CREATE TABLE projects (project INTEGER PRIMARY KEY) STRICT;
   CREATE TABLE marks (file TEXT PRIMARY KEY, at INTEGER NOT NULL, lines INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE damage (file TEXT NOT NULL, line INTEGER NOT NULL, time INTEGER NOT NULL) STRICT;
   CREATE TABLE calls (
     seq INTEGER PRIMARY KEY, call INTEGER UNIQUE, time INTEGER NOT NULL, session INTEGER NOT NULL, project INTEGER NOT NULL,
     tool_use TEXT, shown INTEGER NOT NULL, notable INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX calls_by_project ON calls (project, time);
   CREATE INDEX calls_shown ON calls (project, time) WHERE shown = 1;
   CREATE INDEX calls_by_session ON calls (session, time);
   CREATE INDEX calls_by_tool_use ON calls (tool_use) WHERE tool_use IS NOT NULL;
   CREATE INDEX calls_by_age ON calls (notable, time);
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
   ) STRICT, WITHOUT ROWID;`,
  // What a list shows of a call, so that it needs no bodies. `verdict` is the index of one of CALL_VERDICTS.
  `ALTER TABLE calls ADD COLUMN verdict INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE calls ADD COLUMN event INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE calls ADD COLUMN tool INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE calls ADD COLUMN hook INTEGER;
   ALTER TABLE calls ADD COLUMN took REAL NOT NULL DEFAULT 0;
   ALTER TABLE calls ADD COLUMN summary TEXT NOT NULL DEFAULT '';
   ALTER TABLE calls ADD COLUMN reason TEXT;
   CREATE INDEX calls_by_time ON calls (time);
   CREATE INDEX calls_by_hook ON calls (hook, time) WHERE hook IS NOT NULL;
   INSERT OR IGNORE INTO names (name) SELECT json ->> '$.event.hook_event_name' FROM bodies
     WHERE json ->> '$.event.hook_event_name' IS NOT NULL;
   INSERT OR IGNORE INTO names (name) SELECT json ->> '$.event.tool_name' FROM bodies
     WHERE json ->> '$.event.tool_name' IS NOT NULL;
   UPDATE calls SET (event, tool, verdict, summary, reason) = (
     SELECT ifnull((SELECT id FROM names WHERE name = json ->> '$.event.hook_event_name'), 0),
       ifnull((SELECT id FROM names WHERE name = json ->> '$.event.tool_name'), 0),
       CASE ifnull(json ->> '$.happened.action', json ->> '$.decision.action') WHEN 'deny' THEN 3 WHEN 'ask' THEN 2 ELSE 0 END,
       substr(ifnull(json ->> '$.event.tool_input.command', ifnull(json ->> '$.event.tool_input.file_path', '')), 1, 200),
       substr(json ->> '$.decision.reason', 1, 300)
     FROM bodies WHERE bodies.seq = calls.seq)
     WHERE seq IN (SELECT seq FROM bodies);`,
  // Who said what in a call, see said.ts; sums by agent and rule; how long hooks took in each hour. Of what was recorded
  // before, the agent and the rules are not known: 0.
  `ALTER TABLE calls ADD COLUMN agent INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE calls ADD COLUMN said TEXT NOT NULL DEFAULT '';
   UPDATE calls SET said = ' ' || hook || ' ' || hook || substr('.rad', verdict + 1, 1) || ' ' WHERE hook IS NOT NULL AND verdict < 4;
   UPDATE calls SET said = ' ' || hook || ' ' || hook || 'f f ' WHERE hook IS NOT NULL AND verdict = 4;
   DROP INDEX calls_by_hook;
   CREATE INDEX calls_by_agent ON calls (agent, time);
   CREATE TABLE rules (
     project INTEGER NOT NULL, hour INTEGER NOT NULL, agent INTEGER NOT NULL, hook INTEGER NOT NULL, rule INTEGER NOT NULL,
     runs INTEGER NOT NULL, denials INTEGER NOT NULL, asks INTEGER NOT NULL, rewrites INTEGER NOT NULL,
     woulds INTEGER NOT NULL, failures INTEGER NOT NULL, PRIMARY KEY (project, hour, agent, hook, rule)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO rules SELECT project, hour, 0, hook, 0, runs, denials, asks, 0, woulds, ifnull((SELECT sum(failures.runs)
     FROM failures WHERE (failures.project, failures.hour, failures.hook) = (hours.project, hours.hour, hours.hook)), 0) FROM hours;
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
