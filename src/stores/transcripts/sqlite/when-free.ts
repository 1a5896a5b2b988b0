import { setTimeout as pause } from "node:timers/promises";
import { TenterhookError } from "../../../core/base/errors.ts";

/** How long others may hold a database. */
export const BUSY_MILLISECONDS = 10_000;

/** As SQLite itself waits, where it may stop the whole process. */
const PAUSES: readonly number[] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50];
const LONGEST_PAUSE = 100;

/**
 * Does something with a database as soon as nobody else writes to it. Unlike SQLite it waits without stopping the process,
 * which may be the one that is waited for.
 *
 * @param work must change nothing when it throws that the database is busy.
 * @throws TenterhookError `store_failed` when others hold it for too long; what `work` throws.
 */
export async function whenFree<Result>(file: string, work: () => Result): Promise<Result> {
  const end = performance.now() + BUSY_MILLISECONDS;
  for (let tries = 0; ; tries += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > end) throw heldByOthers(file, error);
    }
    await pause(PAUSES[tries] ?? LONGEST_PAUSE);
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  // What stands in the other bits says why it is busy.
  return (error.errcode & 0xff) === SQLITE_BUSY;
}

function heldByOthers(file: string, cause: unknown): TenterhookError {
  return new TenterhookError(
    "store_failed",
    `${file} can't be written to: somebody else has been writing to it for ${BUSY_MILLISECONDS / 1000} seconds.`,
    { hint: "Find out which process has it open and what keeps it; then try again.", cause },
  );
}
