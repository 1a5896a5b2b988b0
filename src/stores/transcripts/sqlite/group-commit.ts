import type { OpenDatabase } from "./open-database.ts";
import { inTransaction, whenFree } from "./when-free.ts";

type Work = (database: OpenDatabase) => void;

export interface GroupCommit {
  write(work: Work): Promise<void>;
  /** Resolves when nothing is left to write. Never rejects. */
  settled(): Promise<void>;
}

/** Writes what arrives at the same time in one transaction, with one sync of the disk. */
export function groupCommit(opened: () => Promise<OpenDatabase>): GroupCommit {
  let waiting: Work[] = [];
  let next: Promise<void> | undefined;
  const commit = async (): Promise<void> => {
    try {
      const { database, ...open } = await opened();
      // Work that arrives while waiting joins the transaction, in order.
      await whenFree(open.file, () => {
        inTransaction(database, () => {
          for (const work of waiting) work({ database, ...open });
        });
        taken();
      });
    } catch (error) {
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
