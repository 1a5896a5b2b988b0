import type { OpenDatabase } from "./open-database.ts";
import { inTransaction } from "./transaction.ts";

/** Does something to the database. */
type Work = (database: OpenDatabase) => void;

/** Writes what is asked for in the same moment in one transaction, so that the disk is waited for once. */
export function groupCommit(opened: () => Promise<OpenDatabase>): (work: Work) => Promise<void> {
  let waiting: Work[] = [];
  let next: Promise<void> | undefined;
  const commit = async (): Promise<void> => {
    let batch: readonly Work[] = [];
    // Also when it can't be opened: whoever comes next tries again.
    const database = await opened().finally(() => {
      batch = waiting;
      waiting = [];
      next = undefined;
    });
    inTransaction(database.database, () => {
      for (const work of batch) work(database);
    });
  };
  return (work) => {
    waiting.push(work);
    next ??= commit();
    return next;
  };
}
