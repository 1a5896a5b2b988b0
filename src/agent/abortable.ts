import type { Clock } from "../core/ports.ts";

/**
 * A signal, and those who want to know when it is aborted. The signal has one listener however many there are and come
 * and go: listening to a signal costs more than most steps of the loop.
 */
export interface Aborted {
  readonly signal: AbortSignal;
  /** True once it is. Cheaper to read than the signal's own. */
  already: boolean;
  readonly callbacks: Set<() => void>;
}

/** Begins to listen to a signal. */
export function watchSignal(signal: AbortSignal): Aborted {
  const aborted: Aborted = { signal, already: signal.aborted, callbacks: new Set() };
  signal.addEventListener("abort", () => {
    aborted.already = true;
    for (const callback of [...aborted.callbacks]) callback();
  });
  return aborted;
}

/** Calls back when the signal is aborted, at once if it is already. Take it back with {@link offAbort}. */
export function onAbort(aborted: Aborted, callback: () => void): void {
  if (aborted.already) callback();
  else aborted.callbacks.add(callback);
}

/** Takes a callback back. */
export function offAbort(aborted: Aborted, callback: () => void): void {
  aborted.callbacks.delete(callback);
}

/** What a promise comes to, or the reason of the signal when that is aborted first. The promise is then let go. */
export function orAborted<T>(promise: PromiseLike<T>, aborted: Aborted): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(aborted.signal.reason);
    onAbort(aborted, abort);
    promise.then(
      (value) => {
        offAbort(aborted, abort);
        resolve(value);
      },
      (error: unknown) => {
        offAbort(aborted, abort);
        reject(error);
      },
    );
  });
}

/** What a promise comes to; after an abort it has a little time to end what it started, then the reason is thrown. */
export function orAbortedAfter<T>(
  promise: PromiseLike<T>,
  aborted: Aborted,
  clock: Clock,
  milliseconds: number,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel: (() => void) | undefined;
    const abort = (): void => {
      cancel = clock.after(milliseconds, () => reject(aborted.signal.reason));
    };
    const forget = (): void => {
      cancel?.();
      offAbort(aborted, abort);
    };
    onAbort(aborted, abort);
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
export function sleep(milliseconds: number, aborted: Aborted, clock: Clock): Promise<void> {
  let cancel: (() => void) | undefined;
  const waiting = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  return orAborted(waiting, aborted).finally(() => cancel?.());
}
