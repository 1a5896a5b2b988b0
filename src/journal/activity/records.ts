import { readRecord, recordedId } from "../record.ts";
import type { Recorded, RecordQuery } from "./activity.ts";
import { HOUR_MILLISECONDS, hourOf, type Queries } from "./tables.ts";

const PAGE = 100;

interface StoredRow {
  readonly time: number;
  readonly seq: number;
  readonly json: string;
  readonly name: string | null;
}

/** Reads records, the newest first. */
export function recordReader({ all, idOf, projectsOf }: Queries) {
  return recordsIn;

  function* recordsIn({
    since,
    project,
    session,
    hook,
    all: silent = false,
  }: RecordQuery): Generator<Recorded> {
    const places =
      session === undefined
        ? projectsOf(project).map((id) => ({ column: "project", id }))
        : [{ column: "session", id: idOf(recordedId(session)) }];
    const from = since.getTime();
    const windows = hook === undefined ? [{ from, to: Number.MAX_SAFE_INTEGER }] : windowsOf(hook, from);
    for (const window of windows)
      yield* newestOf(places.map(({ column, id }) => pagesOf(column, id, window, silent)));
  }

  /** The hours in which a hook ran, the last first: records of others are not read. */
  function* windowsOf(hook: string, from: number) {
    const hours = all<{ hour: number }>(
      "SELECT DISTINCT hour FROM hours WHERE hook = ? AND hour >= ? ORDER BY hour DESC",
      idOf(hook),
      hourOf(from),
    );
    for (const { hour } of hours) {
      const begin = hour * HOUR_MILLISECONDS;
      yield { from: Math.max(from, begin), to: begin + HOUR_MILLISECONDS };
    }
  }

  function* pagesOf(column: string, id: number, { from, to }: { from: number; to: number }, silent: boolean) {
    const sql = `SELECT time, seq, json, name FROM calls JOIN bodies USING (seq) LEFT JOIN names ON id = project
      WHERE ${column} = ? AND time >= ? AND time < ? ${silent ? "" : "AND shown = 1"} ORDER BY time DESC, seq DESC LIMIT ? OFFSET ?`;
    let end = to;
    let skip = 0;
    for (;;) {
      const rows = all<StoredRow>(sql, id, from, end, PAGE, skip);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      // The next page begins in the millisecond where this one ends.
      const same = rows.filter(({ time }) => time === last.time).length;
      skip = end === last.time + 1 ? skip + rows.length : same;
      end = last.time + 1;
    }
  }
}

/** Several lists, each the newest first, as one. */
function* newestOf(lists: readonly Iterator<StoredRow>[]): Generator<Recorded> {
  const heads = lists.map((list) => ({ list, next: list.next() }));
  for (;;) {
    const [newest] = heads
      .filter(({ next }) => next.done !== true)
      .sort((a, b) => b.next.value.time - a.next.value.time || b.next.value.seq - a.next.value.seq);
    if (newest === undefined) return;
    const { json, name }: StoredRow = newest.next.value;
    const record = readRecord(json);
    if (record !== undefined) yield { record, project: name ?? undefined };
    newest.next = newest.list.next();
  }
}
