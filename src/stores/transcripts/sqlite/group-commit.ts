import type { OpenDatabase } from "./open-database.ts";
import { inTransaction } from "./transaction.ts";
import { whenFree } from "./when-free.ts";

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
  const commit = async (): Promise<void> => {
    try {
      const { database, ...open } = await opened();
      // Whoever comes while others write goes with it: nothing overtakes what was asked for before.
      await whenFree(open.file, () => {
        inTransaction(database, () => {
          for (const work of waiting) work({ database, ...open });
        });
        taken();
      });
    } catch (error) {
      // Whoever comes next tries again.
      taken();
      throw error;
    }
  };
  const taken = (): void => {
    waiting = [];
    next = undefined;
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
