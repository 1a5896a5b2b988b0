import { type JournalRecord, readRecord, recordedId } from "../record.ts";
import { CALL_VERDICTS, type CallVerdict } from "./call-columns.ts";
import { type Said, saidWord } from "./said.ts";
import { HOUR_MILLISECONDS, hourOf, type Queries } from "./tables.ts";

export interface CallQuery {
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly project?: string | undefined;
  readonly session?: string | undefined;
  /** The agent's program, as hooks are told its name; `-` where they are not. */
  readonly agent?: string | undefined;
  /** Only those in which this hook ran. */
  readonly hook?: string | undefined;
  /** Only those in which this rule of the hook spoke. */
  readonly rule?: string | undefined;
  /** Only those in which the hook, or its rule, said this; without a hook, in which any hook failed. */
  readonly said?: Said | undefined;
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

/** The columns that may have nothing. */
type Nullable = "project" | "tool_use" | "event" | "tool" | "hook" | "reason";

interface Row extends Omit<CallRow, "verdict" | Nullable>, Readonly<Record<Nullable, string | null>> {
  readonly verdict: number;
}

/** What a call is kept longer for. */
const NOTABLE: ReadonlySet<Said> = new Set(["deny", "ask", "failed"]);

/** The columns that count what was said. */
const COUNTED: Readonly<Record<Said, string>> = {
  ran: "runs",
  deny: "denials",
  ask: "asks",
  rewrite: "rewrites",
  would: "woulds",
  failed: "failures",
};

export function callReader({ all, idOf }: Queries) {
  const nameOf = (column: string): string =>
    `(SELECT name FROM names WHERE id = calls.${column}) AS ${column}`;
  const columns = ["session", "project", "event", "tool", "hook"].map(nameOf).join(", ");

  function calls(query: CallQuery): readonly CallRow[] {
    const { hook, said = "ran", most, session } = query;
    if (hook === undefined || session !== undefined || NOTABLE.has(said)) return callsIn(query);
    // Most calls say nothing of most hooks: only the hours in which this one did are looked at.
    const rows: CallRow[] = [];
    for (const hour of hoursOf(query)) {
      const [from, end] = [hour * HOUR_MILLISECONDS, (hour + 1) * HOUR_MILLISECONDS];
      const since = new Date(Math.max(from, query.since.getTime()));
      const until = new Date(Math.min(end, query.until?.getTime() ?? end));
      rows.push(...callsIn({ ...query, since, until, most: most - rows.length }));
      if (rows.length >= most) break;
    }
    return rows;
  }

  /** The hours in which a hook, or a rule of it, said something, the newest first. */
  function hoursOf({ hook = "", rule, said = "ran", since, until, before }: CallQuery): readonly number[] {
    const last = Math.min(
      before?.time ?? Number.MAX_SAFE_INTEGER,
      until?.getTime() ?? Number.MAX_SAFE_INTEGER,
    );
    return all<{ hour: number }>(
      `SELECT DISTINCT hour FROM rules WHERE hour BETWEEN ? AND ? AND hook = ? AND ${COUNTED[said]} > 0
         ${rule === undefined ? "" : "AND rule = ?"} ORDER BY hour DESC`,
      ...[hourOf(since.getTime()), hourOf(last), idOf(hook), ...(rule === undefined ? [] : [idOf(rule)])],
    ).map(({ hour }) => hour);
  }

  function callsIn(query: CallQuery): readonly CallRow[] {
    const { since, until, project, agent, session, hook, rule, verdicts, before, most } = query;
    const said = query.said ?? (hook === undefined ? undefined : "ran");
    const wanted = verdicts?.map((one) => CALL_VERDICTS.indexOf(one));
    const isNotable =
      wanted?.every((one) => one >= CALL_VERDICTS.indexOf("ask")) === true ||
      (said !== undefined && NOTABLE.has(said));
    const index =
      session !== undefined
        ? "calls_by_session"
        : isNotable
          ? "calls_by_age"
          : hook === undefined && agent !== undefined
            ? "calls_by_agent"
            : hook === undefined && project !== undefined
              ? "calls_by_project"
              : "calls_by_time";
    const word =
      said &&
      saidWord(said, hook === undefined ? undefined : idOf(hook), rule === undefined ? rule : idOf(rule));
    const conditions: (readonly [sql: string, ...values: readonly (number | string)[]])[] = [
      ["time >= ?", since.getTime()],
      ...(until === undefined ? [] : [["time < ?", until.getTime()] as const]),
      ...(session === undefined ? [] : [["session = ?", idOf(recordedId(session))] as const]),
      ...(agent === undefined ? [] : [["agent = ?", agent === "-" ? 0 : idOf(agent)] as const]),
      ...(word === undefined ? [] : [["instr(said, ?) > 0", ` ${word} `] as const]),
      ...(index === "calls_by_age" ? [["notable = 1"] as const] : []),
      ...(wanted === undefined ? [] : [[`verdict IN (${wanted.join()})`] as const]),
      ...(project === undefined ? [] : [["project = ?", idOf(project)] as const]),
      // The end bounds what the index is read from.
      ...(before === undefined
        ? []
        : [["time <= ? AND (time < ? OR seq < ?)", before.time, before.time, before.seq] as const]),
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
