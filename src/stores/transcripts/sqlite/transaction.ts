import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { BUSY_MILLISECONDS } from "./when-free.ts";

/** Does all of something or nothing, with no other writer in between. Throws at once when there is one. */
export function inTransaction<Result>(database: DatabaseSyncInstance, work: () => Result): Result {
  begin(database);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk has ended it already.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function begin(database: DatabaseSyncInstance): void {
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE");
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MILLISECONDS}`);
  }
}
