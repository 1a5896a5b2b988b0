import type { DatabaseSyncInstance } from "@photostructure/sqlite";

/** Does all of something or nothing, with no other writer in between. */
export function inTransaction<Result>(database: DatabaseSyncInstance, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
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
