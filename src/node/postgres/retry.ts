import { setTimeout as pause } from "node:timers/promises";
import { backoff } from "../retry.ts";
import { databaseFailure, mayPass } from "./failure.ts";

const FIRST_PAUSE_MILLISECONDS = 50;
const LONGEST_PAUSE_MILLISECONDS = 2000;

/** How long to go on trying. */
export interface Patience {
  readonly place: string;
  readonly milliseconds: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * Does something with a database, and does it again while the server is away or another transaction comes first.
 *
 * @param work may be done twice: when the connection breaks, nobody knows whether the last statement took effect.
 * @throws TenterhookError `store_failed` after all this time; at once when it is of no use to wait.
 */
export async function whenThere<Result>(work: () => Promise<Result>, patience: Patience): Promise<Result> {
  const { place, milliseconds, signal } = patience;
  const end = performance.now() + milliseconds;
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || signal.aborted || performance.now() > end) throw databaseFailure(place, error);
    }
    // Many clients come back at once after a restart.
    const most = Math.min(backoff(tries, FIRST_PAUSE_MILLISECONDS), LONGEST_PAUSE_MILLISECONDS);
    await pause(most * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}
