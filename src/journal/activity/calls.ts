import type { JournalRecord } from "../record.ts";
import { readRecord, recordedId } from "../record.ts";
import { CALL_VERDICTS, type CallVerdict } from "./call-columns.ts";
import type { Queries } from "./queries.ts";
import { HOUR_MILLISECONDS, hourOf } from "./tables.ts";

/** Which calls a list shows. */
export interface CallQuery {
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly project?: string | undefined;
  readonly session?: string | undefined;
  /** The hook that decided. */
  readonly hook?: string | undefined;
  /** Default: all. */
  readonly verdicts?: readonly CallVerdict[] | undefined;
  /** Only what is older than this row of an earlier page. */
  readonly before?: { readonly time: number; readonly seq: number } | undefined;
  readonly most: number;
}

/** A call as lists show it: none of it is read from its record. */
export interface CallRow {
  readonly seq: number;
  readonly time: number;
  readonly session: string;
  readonly project?: string;
  readonly tool_use?: string;
  readonly event: string;
  readonly tool?: string;
  readonly verdict: CallVerdict;
  readonly hook?: string;
  readonly took: number;
  readonly summary: string;
  readonly reason?: string;
}

/** What was decided in an hour. */
export interface HourCount {
  /** When it began, in milliseconds since 1970. */
  readonly time: number;
  readonly decisions: number;
  readonly stopped: number;
  readonly asked: number;
}

interface Row {
  readonly seq: number;
  readonly time: number;
  readonly session: string;
  readonly project: string | null;
  readonly tool_use: string | null;
  readonly event: string | null;
  readonly tool: string | null;
  readonly verdict: number;
  readonly hook: string | null;
  readonly took: number;
  readonly summary: string;
  readonly reason: string | null;
}

/** Reads lists of calls, one call with its record, and numbers by hour. */
export function callReader({ all, idOf, projectsOf }: Queries) {
  const nameOf = (column: string): string =>
    `(SELECT name FROM names WHERE id = calls.${column}) AS ${column}`;
  const columns = ["session", "project", "event", "tool", "hook"].map(nameOf).join(", ");

  function calls(query: CallQuery): readonly CallRow[] {
    const { since, until, project, session, hook, verdicts, before, most } = query;
    const wanted = verdicts?.map((one) => CALL_VERDICTS.indexOf(one));
    const isNotable = wanted?.every((one) => one >= CALL_VERDICTS.indexOf("ask")) === true;
    const index =
      session !== undefined
        ? "calls_by_session"
        : hook !== undefined
          ? "calls_by_hook"
          : isNotable
            ? "calls_by_age"
            : "calls_by_time";
    const conditions: (readonly [sql: string, ...values: readonly number[]])[] = [
      ["time >= ?", since.getTime()],
      ...(until === undefined ? [] : [["time < ?", until.getTime()] as const]),
      ...(session === undefined ? [] : [["session = ?", idOf(recordedId(session))] as const]),
      ...(hook === undefined ? [] : [["hook = ?", idOf(hook)] as const]),
      ...(isNotable && index === "calls_by_age" ? [["notable = 1"] as const] : []),
      ...(wanted === undefined ? [] : [[`verdict IN (${wanted.join()})`] as const]),
      ...(project === undefined ? [] : [["project = ?", idOf(project)] as const]),
      ...(before === undefined
        ? []
        : [["(time < ? OR (time = ? AND seq < ?))", before.time, before.time, before.seq] as const]),
      // The end bounds what the index is read from.
      ...(before === undefined ? [] : [["time <= ?", before.time] as const]),
    ];
    const rows = all<Row>(
      `SELECT seq, time, tool_use, verdict, took, summary, reason, ${columns} FROM calls INDEXED BY ${index}
       WHERE ${conditions.map(([sql]) => sql).join(" AND ")} ORDER BY time DESC, seq DESC LIMIT ?`,
      ...conditions.flatMap(([, ...values]) => values),
      most,
    );
    return rows.map(rowOf);
  }

  return {
    calls,
    /** One call with its record; `undefined` when it was forgotten. */
    call(seq: number): { readonly row: CallRow; readonly record: JournalRecord } | undefined {
      const [row] = all<Row & { json: string }>(
        `SELECT calls.seq, time, tool_use, verdict, took, summary, reason, json, ${columns}
         FROM calls JOIN bodies USING (seq) WHERE calls.seq = ?`,
        seq,
      );
      const record = row && readRecord(row.json);
      return row === undefined || record === undefined ? undefined : { row: rowOf(row), record };
    },
    /** The last call of each of these sessions. */
    lastCalls(
      sessions: readonly string[],
    ): ReadonlyMap<string, { readonly tool: string; readonly summary: string }> {
      const ids = new Map(sessions.map((session) => [recordedId(session), session]));
      const rows = all<{ session: string; tool: string; summary: string }>(
        `SELECT sessions.name AS session, tools.name AS tool, calls.summary FROM json_each(?)
         JOIN names AS sessions ON sessions.name = json_each.value
         JOIN calls ON calls.seq = (SELECT seq FROM calls INDEXED BY calls_by_session
           WHERE session = sessions.id ORDER BY time DESC LIMIT 1)
         JOIN names AS tools ON tools.id = calls.tool`,
        JSON.stringify([...ids.keys()]),
      );
      return new Map(
        rows.map(({ session, tool, summary }) => [ids.get(session) ?? session, { tool, summary }]),
      );
    },
    /** How many records of a session there are, and what came of them. */
    countsOf(session: string): { readonly calls: number; readonly stopped: number; readonly asked: number } {
      const [counts] = all<{ calls: number; stopped: number; asked: number }>(
        `SELECT count(*) AS calls, ifnull(sum(verdict = ?), 0) AS stopped, ifnull(sum(verdict = ?), 0) AS asked
         FROM calls INDEXED BY calls_by_session WHERE session = ?`,
        CALL_VERDICTS.indexOf("deny"),
        CALL_VERDICTS.indexOf("ask"),
        idOf(recordedId(session)),
      );
      return counts ?? { calls: 0, stopped: 0, asked: 0 };
    },
    /** By hour, the oldest first; hours without a decision are left out. */
    hours(since: Date, project?: string): readonly HourCount[] {
      return all<HourCount>(
        `SELECT hour * ${HOUR_MILLISECONDS} AS time, sum(decisions) AS decisions, sum(stopped) AS stopped, sum(asked) AS asked
         FROM decided WHERE hour >= ? AND project IN (${projectsOf(project).join()}) GROUP BY hour ORDER BY hour`,
        hourOf(since.getTime()),
      );
    },
    /** How often each hook stopped or asked on each day, for small plots. */
    hookHours(since: Date, project?: string): readonly { hook: string; time: number; stops: number }[] {
      return all(
        `SELECT name AS hook, hour * ${HOUR_MILLISECONDS} AS time, sum(denials + asks) AS stops
         FROM hours JOIN names ON id = hook WHERE hour >= ? AND project IN (${projectsOf(project).join()})
         GROUP BY hook, hour HAVING stops > 0 ORDER BY hour`,
        hourOf(since.getTime()),
      );
    },
    projects: (): readonly string[] =>
      all<{ name: string }>("SELECT name FROM projects JOIN names ON id = project ORDER BY name").map(
        ({ name }) => name,
      ),
  };
}

function rowOf(row: Row): CallRow {
  const { seq, time, session, verdict, took, summary, project, tool_use, event, tool, hook, reason } = row;
  return {
    seq,
    time,
    session,
    event: event ?? "",
    verdict: CALL_VERDICTS[verdict] ?? "continue",
    took,
    summary,
    ...(project === null ? {} : { project }),
    ...(tool_use === null ? {} : { tool_use }),
    ...(tool === null || tool === "" ? {} : { tool }),
    ...(hook === null ? {} : { hook }),
    ...(reason === null ? {} : { reason }),
  };
}
