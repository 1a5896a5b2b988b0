import { type Clock, systemClock } from "../../core/base/clock.ts";
import { raceAbort } from "../../node/process/deadline.ts";
import { backoff } from "../../node/retry.ts";
import { type ModelFailure, modelFailure } from "./failure.ts";

interface Retrying {
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** The pause before the next try in milliseconds; `undefined` for none. Attempts count from 0. */
  wait?(failure: ModelFailure, attempt: number): number | undefined;
  tell?(failure: ModelFailure, pause: number): void;
}

const MOST_RETRIES = 2;
/** A provider that asks for a longer pause is not asked again. */
const LONGEST_PAUSE_MILLISECONDS = 20_000;

/**
 * Calls a model, and again while that can help. Pauses as long as the provider asks, otherwise twice as long each time.
 *
 * @throws ModelFailure of the last call; the reason of the signal.
 */
export async function withRetries<Answer>(
  call: () => PromiseLike<Answer>,
  { signal, clock = systemClock, wait = usualWait, tell }: Retrying,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      const failure = modelFailure(error, clock.now());
      const pause = wait(failure, attempt);
      if (pause === undefined) throw failure;
      tell?.(failure, pause);
      await sleep(pause, signal, clock);
    }
  }
}

export function usualWait({ retryable, retry_after_ms }: ModelFailure, attempt: number): number | undefined {
  const pause = retry_after_ms ?? backoff(attempt);
  return retryable && attempt < MOST_RETRIES && pause <= LONGEST_PAUSE_MILLISECONDS ? pause : undefined;
}

/** @throws the reason of the signal when it is aborted meanwhile. */
export async function sleep(milliseconds: number, signal: AbortSignal, clock: Clock): Promise<void> {
  let cancel = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  await raceAbort(waiting, signal).finally(cancel);
}
