import type { OpenDatabase } from "./open-database.ts";
import { inTransaction } from "./transaction.ts";

/** Does something to the database. */
type Work = (database: OpenDatabase) => void;

/** Writes to a database. */
export interface GroupCommit {
  write(work: Work): Promise<void>;
  /** Resolves when nothing waits to be written. Never rejects. */
  settled(): Promise<void>;
}

/** Writes what is asked for in the same moment in one transaction, so that the disk is waited for once. */
export function groupCommit(opened: () => Promise<OpenDatabase>): GroupCommit {
  let waiting: Work[] = [];
  let next: Promise<void> | undefined;
  const take = (): readonly Work[] => {
    const batch = waiting;
    waiting = [];
    next = undefined;
    return batch;
  };
  const commit = async (): Promise<void> => {
    // Also when it can't be opened: whoever comes next tries again.
    const database = await opened().catch((error: unknown) => {
      take();
      throw error;
    });
    // Nobody comes in between: what is not in the batch is in the next one.
    const batch = take();
    inTransaction(database.database, () => {
      for (const work of batch) work(database);
    });
  };
  return {
    write(work) {
      waiting.push(work);
      next ??= commit();
      return next;
    },
    async settled() {
      await next?.catch(() => {});
    },
  };
}
