import { closeSync, openSync, statSync } from "node:fs";
import { setImmediate as immediate } from "node:timers/promises";
import { readGrown } from "../../node/files/read-grown.ts";
import type { OpenDatabase } from "../../node/sqlite/open-database.ts";
import { inTransaction, whenFree } from "../../node/sqlite/transaction.ts";
import { journalFiles } from "../files.ts";
import { recordedProjects } from "../projects.ts";
import { readRecord } from "../record.ts";
import { addRecords, namesIn, type Taken } from "./add-records.ts";

/** So few that nobody waits long for the daemon, and more than the longest line. */
const MOST_BYTES = 150_000;

/** How far a journal is taken in. */
interface Mark {
  readonly at: number;
  readonly lines: number;
}

/**
 * Takes the journals of a folder into the store, those that changed last first. Several processes may do so at once: how
 * far a file is taken in is stored together with what was in it.
 */
export function journalIntake(open: OpenDatabase, folder: string) {
  const { prepared, database, file: store } = open;
  const projectOf = recordedProjects();
  const names = namesIn(open);
  const markOf = (identity: string): Mark =>
    prepared("SELECT at, lines FROM marks WHERE file = ?").get(identity) ?? { at: 0, lines: 0 };
  /** The sizes of files that were read to their ends: one that has not changed since has no news. */
  const read = new Map<string, number>();
  /** @returns false when there is nothing to take in. */
  const takeSome = (file: string): boolean => {
    const descriptor = openSync(file, "r");
    try {
      const { identity, size, from, next, lines } = readGrown(
        descriptor,
        (one) => markOf(one).at,
        MOST_BYTES,
      );
      const mark = markOf(identity);
      const before = from === 0 ? 0 : mark.lines;
      if (mark.at === size) read.set(identity, size);
      if (next === from) return false;
      inTransaction(database, () => {
        // Another process may have been faster.
        if (markOf(identity).at !== mark.at) return;
        addRecords(open, names, lines.map(taken(file, before)));
        putMark(identity, { at: next, lines: before + lines.length });
      });
      return true;
    } catch (error) {
      names.forget();
      throw error;
    } finally {
      closeSync(descriptor);
    }
  };
  const taken =
    (file: string, before: number) =>
    (text: string, at: number): Taken => {
      const record = readRecord(text);
      const project = record && projectOf(record);
      return { text, record, project, ...(record === undefined ? { file, line: before + at + 1 } : {}) };
    };
  const putMark = (identity: string, { at, lines }: Mark): void => {
    prepared("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)").run(identity, at, lines);
  };
  return async (milliseconds: number): Promise<boolean> => {
    const end = performance.now() + milliseconds;
    const changed = journalFiles(folder).filter(({ identity, bytes }) => read.get(identity) !== bytes);
    for (const { file } of changed.reverse())
      for (let more = true; more; ) {
        if (performance.now() > end) return false;
        more = await whenFree(store, () => takeSome(file)).catch((error: unknown) => {
          // Another process has removed it.
          if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
          throw error;
        });
        await immediate();
      }
    return true;
  };
}
