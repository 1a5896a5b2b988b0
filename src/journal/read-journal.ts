import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { systemCode } from "../node/system-code.ts";
import { journalFiles, journalFolder } from "./files.ts";
import { type JournalRecord, readRecord, recordedId } from "./record.ts";

/** A line of a journal that can't be read. */
export interface Damage {
  readonly file: string;
  readonly line: number;
}

/** Which records to read. */
export interface ReadOptions {
  /** Default `$XDG_STATE_HOME/tenterhook/journal`. */
  readonly folder?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Only records of this time or later. */
  readonly since?: Date;
  /** Only of this session. */
  readonly session?: string;
  /** Only records with a run of this hook. */
  readonly hook?: string;
  /** Only the files that changed last, of this size together. Default: all. */
  readonly mostBytes?: number;
  /** Called for each line that can't be read. A last line without an end is still being written, not damaged. */
  readonly onDamage?: (damage: Damage) => void;
  readonly signal?: AbortSignal;
}

/** The ids of calls that may be recorded twice, and how many of them are remembered: both come soon. */
const CALL = /^call[0-9a-f]{24}-1$/;
const MOST_CALLS = 10_000;

/** Reads journals, the last changed last; the records of a session come in the order they were written. */
export async function* readJournal(
  options: ReadOptions = {},
): AsyncGenerator<JournalRecord, void, undefined> {
  const { since, hook, mostBytes = Number.POSITIVE_INFINITY } = options;
  const { folder = journalFolder(options.environment) } = options;
  const session = options.session === undefined ? undefined : recordedId(options.session);
  const from = since?.toISOString();
  const isSecond = secondRecords();
  const files = journalFiles(folder, session);
  let left = files.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { file, changed, bytes } of files) {
    const isLeftOut = left > mostBytes;
    left -= bytes;
    if (isLeftOut || (since !== undefined && changed < since.getTime())) continue;
    for await (const record of recordsOf(file, options)) {
      const fits =
        (from === undefined || record.time >= from) &&
        (session === undefined || record.session_id === session) &&
        (hook === undefined || record.runs.some(({ name }) => name === hook));
      if (fits && !isSecond(record)) yield record;
    }
  }
}

async function* recordsOf(file: string, { onDamage, signal }: ReadOptions): AsyncGenerator<JournalRecord> {
  const handle = await open(file).catch((error: unknown) => {
    // Another process has removed old journals since the folder was read.
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (handle === undefined) return;
  const input = handle.createReadStream({ encoding: "utf8", start: 0, autoClose: false });
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  let broken: Damage | undefined;
  try {
    for await (const line of lines) {
      signal?.throwIfAborted();
      number += 1;
      if (broken !== undefined) onDamage?.(broken);
      broken = undefined;
      if (line === "") continue;
      const record = readRecord(line);
      if (record === undefined) broken = { file, line: number };
      else yield record;
    }
    if (broken !== undefined && (await endsLine(handle))) onDamage?.(broken);
  } finally {
    lines.close();
    input.destroy();
    await handle.close();
  }
}

/**
 * Recognises the second record of a call that the daemon decided and recorded before it was killed, and that was then
 * decided again under the same id.
 */
function secondRecords(): (record: JournalRecord) => boolean {
  const times = new Map<string, number>();
  return ({ type, event_id }) => {
    if (!CALL.test(event_id) || type === "run") return false;
    if (type === "decision") times.set(event_id, (times.get(event_id) ?? 0) + 1);
    const isSecond = (times.get(event_id) ?? 1) > 1;
    const [oldest] = times.keys();
    if (times.size > MOST_CALLS && oldest !== undefined) times.delete(oldest);
    return isSecond;
  };
}

async function endsLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
  return buffer[0] === 0x0a;
}
