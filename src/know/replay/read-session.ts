import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { Entry, RecordedSessions, SessionSoFar, Told } from "../../adapters/codec/recorded-session.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { loadSqlite } from "../../node/sqlite/load-sqlite.ts";
import type { SessionFile } from "./find-sessions.ts";

/** Something that a session tells, with what is known of the session there. */
export type TellsOf = Told & {
  readonly session_id: string;
  readonly cwd: string | undefined;
  readonly agent_id: string | undefined;
  readonly host: string | undefined;
};

export interface Unreadable {
  readonly agent: string;
  readonly file: string;
  readonly line?: number;
  readonly why: string;
}

/** Is called with the number of bytes that were read since. */
export interface ReadHooks {
  unreadable(place: Unreadable): void;
  bytes?(count: number): void;
}

/** A line that is longer is no line of a session that an agent could read itself. */
const LONGEST_LINE = 64_000_000;
const CHUNK_BYTES = 256 * 1024;

/** What a file tells, in its order and piece by piece, so that its size does not matter. Never throws for what is in it. */
export async function* readSession(
  { agent, file, sessions, bytes }: SessionFile,
  { unreadable, bytes: progress }: ReadHooks,
  signal?: AbortSignal,
): AsyncGenerator<readonly TellsOf[]> {
  const bad = (why: string, line?: number): void => unreadable({ agent, file, why, line });
  if (sessions === undefined) return bad("it is no session of an agent that we know");
  const session: SessionSoFar = { file };
  const told = (entry: Entry | undefined): readonly TellsOf[] =>
    sessions.read(entry, session).map((one) => ({ ...one, ...placeOf(session) }));
  try {
    if (sessions.rows !== undefined) {
      for await (const rows of rowsOf(file, sessions.rows.sql, signal)) yield rows.flatMap(told);
      progress?.(bytes);
    } else {
      for await (const { lines, from, read } of linesOf(file, bad, signal)) {
        const tells: TellsOf[] = [];
        for (const [at, line] of lines.entries()) {
          const entry = entryOf(line, sessions);
          if (entry === "unreadable") bad("it is no JSON object", from + at);
          else if (entry !== undefined) tells.push(...told(entry));
        }
        progress?.(read);
        yield tells;
      }
    }
    yield told(undefined);
  } catch (error) {
    if (signal?.aborted !== true) bad(errorMessage(error));
  }
}

function placeOf({ session_id, cwd, agent_id, host, file }: SessionSoFar) {
  return { session_id: session_id ?? basename(file).replace(/\.\w+$/, ""), cwd, agent_id, host };
}

/** `undefined` for a line that tells nothing; it is only looked at, not parsed. */
function entryOf(given: string, { marks }: RecordedSessions): Entry | "unreadable" | undefined {
  const line = given.endsWith("\r") ? given.slice(0, -1) : given;
  if (line === "") return undefined;
  const isWhole = line.startsWith("{") && line.endsWith("}");
  if (isWhole && marks?.some((mark) => line.includes(mark)) === false) return undefined;
  const entry = isWhole ? parseJson(line) : undefined;
  return isRecord(entry) ? entry : "unreadable";
}

interface Lines {
  readonly lines: readonly string[];
  /** The number of the first. */
  readonly from: number;
  /** Bytes. */
  readonly read: number;
}

async function* linesOf(
  file: string,
  bad: (why: string, line: number) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Lines> {
  const stream = createReadStream(file, { encoding: "utf8", highWaterMark: CHUNK_BYTES, signal });
  /** The parts of a line whose end was not read yet; none once it is too long. */
  let parts: string[] = [];
  let length = 0;
  let number = 1;
  let before = 0;
  for await (const chunk of stream) {
    const [first = "", ...lines] = String(chunk).split("\n");
    length += first.length;
    if (length <= LONGEST_LINE) parts.push(first);
    else if (parts.length > 0) {
      bad("it is longer than 64 MB", number);
      parts = [];
    }
    const read = stream.bytesRead - before;
    before = stream.bytesRead;
    const last = lines.pop();
    if (last === undefined) {
      yield { lines: [], from: number, read };
      continue;
    }
    yield { lines: [parts.join(""), ...lines], from: number, read };
    number += lines.length + 1;
    parts = [last];
    length = last.length;
  }
  if (length > 0) yield { lines: [parts.join("")], from: number, read: 0 };
}

const ROWS_AT_ONCE = 500;

/** The rows of another program's database, which is only read. */
async function* rowsOf(
  file: string,
  sql: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Entry[]> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    let rows: Entry[] = [];
    for (const row of database.prepare(sql).iterate()) {
      if (isRecord(row)) rows.push(row);
      if (rows.length < ROWS_AT_ONCE) continue;
      signal?.throwIfAborted();
      yield rows;
      rows = [];
    }
    yield rows;
  } finally {
    database.close();
  }
}
