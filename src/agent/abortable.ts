import type { Clock } from "../core/ports.ts";

/** What a promise comes to, or the reason of the signal when that is aborted first. The promise is then let go. */
export function orAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(
      (value) => {
        signal.removeEventListener("abort", abort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      },
    );
  });
}

/** What a promise comes to; after an abort it has a little time to end what it started, then the reason is thrown. */
export function orAbortedAfter<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  clock: Clock,
  milliseconds: number,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel: (() => void) | undefined;
    const abort = (): void => {
      cancel = clock.after(milliseconds, () => reject(signal.reason));
    };
    const forget = (): void => {
      cancel?.();
      signal.removeEventListener("abort", abort);
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(
      (value) => {
        forget();
        resolve(value);
      },
      (error: unknown) => {
        forget();
        reject(error);
      },
    );
  });
}

/** Waits; an abort ends the wait with the reason of the signal. */
export function sleep(milliseconds: number, signal: AbortSignal, clock: Clock): Promise<void> {
  let cancel: (() => void) | undefined;
  const waiting = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  return orAborted(waiting, signal).finally(() => cancel?.());
}
