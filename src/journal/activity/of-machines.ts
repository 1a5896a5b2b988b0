import type { OpenDatabase } from "../../node/sqlite/open-database.ts";
import { inTransaction, whenFree } from "../../node/sqlite/transaction.ts";
import { folderOn } from "../../shared/folder-on.ts";
import { type JournalRecord, readRecord } from "../record.ts";
import { addRecords, namesIn } from "./add-records.ts";

export interface ForeignRecord {
  readonly machine: string;
  readonly record: JournalRecord;
  readonly project: string | undefined;
}

/** Beside the files of journals, a table of marks has this for where other machines' records come from. */
const SOURCE = "records in ";

export function isOfMachines(mark: string): boolean {
  return mark.startsWith(SOURCE);
}

/** What machines tell each other of their journals. */
export function recordsOfMachines(open: OpenDatabase) {
  const { prepared, database, file } = open;
  const names = namesIn(open);
  const numberOf = (sql: string, ...values: readonly (number | string)[]): number => {
    const row: { readonly value: number | null } | undefined = prepared(sql).get(...values);
    return row?.value ?? 0;
  };
  const add = (records: readonly ForeignRecord[]): void =>
    addRecords(
      open,
      names,
      records.map(({ machine, record, project = "" }) => ({
        text: JSON.stringify({ ...record, machine }),
        record,
        project: folderOn(machine, project),
      })),
    );
  return {
    /** This machine's own records after a place, in the order in which they were taken in. */
    own(after: number, most: number) {
      const rows: readonly { seq: number; json: string; project: string | null }[] = prepared(
        `SELECT seq, json, name AS project FROM bodies JOIN calls USING (seq) LEFT JOIN names ON id = project
         WHERE seq > ? AND json ->> '$.machine' IS NULL ORDER BY seq LIMIT ?`,
      ).all(after, most);
      return rows.flatMap(({ seq, json, project }) => {
        const record = readRecord(json);
        return record === undefined ? [] : [{ seq, record, project: project ?? undefined }];
      });
    },
    /** The place of the last record, or 0. */
    last: (): number => numberOf("SELECT max(seq) AS value FROM calls"),
    /** The place before the first record since this time. */
    before: (time: number): number =>
      numberOf("SELECT min(seq) - 1 AS value FROM calls WHERE time >= ?", time) ||
      numberOf("SELECT max(seq) AS value FROM calls WHERE time < ?", time),
    /** How far a source of other machines' records was read. */
    readTo: (source: string): number =>
      numberOf("SELECT at AS value FROM marks WHERE file = ?", SOURCE + source),
    /** Adds records of other machines, and how far their source was read by then. One that can't be counted is left out. */
    take: (source: string, to: number, records: readonly ForeignRecord[]): Promise<void> =>
      whenFree(file, () => {
        const mark = (): void =>
          void prepared("INSERT OR REPLACE INTO marks VALUES (?, ?, 0)").run(SOURCE + source, to);
        const tryAll = (some: readonly ForeignRecord[]): boolean => {
          try {
            inTransaction(database, () => {
              add(some);
              mark();
            });
            return true;
          } catch (error) {
            names.forget();
            // What the database says is not about a record.
            if (error instanceof Error && "errcode" in error) throw error;
            return false;
          }
        };
        if (!tryAll(records)) for (const one of records) tryAll([one]);
        inTransaction(database, mark);
      }),
  };
}
