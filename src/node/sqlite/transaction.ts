import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseSyncInstance } from "tenterhook-sqlite";
import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";

/** How long other processes may hold a database. */
export const BUSY_MILLISECONDS = 10_000;

/** The pauses of SQLite's own busy handler, which would block the whole process. */
const PAUSES: readonly number[] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50];
const LONGEST_PAUSE = 100;

/**
 * Does something with a database as soon as no other connection writes to it. Unlike SQLite it waits without blocking this
 * process, which may hold the other connection.
 *
 * @param work must change nothing when it throws that the database is busy.
 * @throws TenterhookError `store_failed` when other processes hold it for too long; what `work` throws.
 */
export async function whenFree<Result>(file: string, work: () => Result): Promise<Result> {
  const end = performance.now() + BUSY_MILLISECONDS;
  for (let tries = 0; ; tries += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > end) throw busyTooLong(file, error);
    }
    await pause(PAUSES[tries] ?? LONGEST_PAUSE);
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  // The other bits say why it is busy.
  return (error.errcode & 0xff) === SQLITE_BUSY;
}

function busyTooLong(file: string, cause: unknown): TenterhookError {
  return new TenterhookError(
    "store_failed",
    `${file} can't be written to: another process has been writing to it for ${BUSY_MILLISECONDS / 1000} seconds.`,
    { hint: "Find the process that has the file open, wait for it or end it, then try again.", cause },
  );
}

/** Does all of `work` or nothing, with no other writer in between. Throws immediately when there is one. */
export function inTransaction<Result>(database: DatabaseSyncInstance, work: () => Result): Result {
  begin(database);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk ends the transaction by itself.
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

interface Connection {
  readonly file: string;
  readonly database: DatabaseSyncInstance;
}

/** Writes what arrives at the same time in one transaction, with one sync of the disk. */
export function groupCommit<Open extends Connection>(opened: () => Promise<Open>) {
  let waiting: ((open: Open) => void)[] = [];
  let next: Promise<void> | undefined;
  const taken = (): void => {
    waiting = [];
    next = undefined;
  };
  const commit = async (): Promise<void> => {
    try {
      const open = await opened();
      // Work that arrives while waiting joins the transaction, in order.
      await whenFree(open.file, () => {
        inTransaction(open.database, () => {
          for (const work of waiting) work(open);
        });
        taken();
      });
    } catch (error) {
      taken();
      throw error;
    }
  };
  return {
    write(work: (open: Open) => void): Promise<void> {
      waiting.push(work);
      next ??= commit();
      return next;
    },
    /** Resolves when nothing is left to write. Never rejects. */
    async settled(): Promise<void> {
      await next?.catch(() => {});
    },
  };
}

/** SQLite's codes; their higher bits say more. */
const [CORRUPT, FULL, NOT_A_DATABASE] = [11, 13, 26];

/** An error of SQLite as one that names the file and the way out; any other error as it is. */
export function storeFailure(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !("errcode" in cause) || typeof cause.errcode !== "number") return cause;
  const code = cause.errcode & 0xff;
  const what = errorMessage(cause);
  if (code === CORRUPT || code === NOT_A_DATABASE)
    return new TenterhookError("store_failed", `${file} is damaged: ${what}.`, {
      hint: "Move it away: a new one is created. What was only in it is lost.",
      cause,
    });
  if (code === FULL)
    return new TenterhookError("store_failed", `${file} can't be written: ${what}.`, {
      hint: "Make room on the disk, then try again.",
      cause,
    });
  return new TenterhookError("store_failed", `${file}: ${what}.`, { cause });
}
