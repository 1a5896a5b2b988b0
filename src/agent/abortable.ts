import type { Clock } from "../core/ports.ts";

/**
 * Those who want to know when a signal is aborted. The signal has one listener however many there are and come and go:
 * listening to a signal costs more than most steps of the loop.
 */
export class Aborted {
  readonly signal: AbortSignal;
  /** True once it is. Cheaper to read than the signal's own. */
  already: boolean;
  private readonly callbacks = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.signal = signal;
    this.already = signal.aborted;
    signal.addEventListener("abort", () => {
      this.already = true;
      for (const callback of [...this.callbacks]) callback();
    });
  }

  /** Calls back when the signal is aborted, at once if it is already. Take it back with {@link remove}. */
  add(callback: () => void): void {
    if (this.already) callback();
    else this.callbacks.add(callback);
  }

  remove(callback: () => void): void {
    this.callbacks.delete(callback);
  }
}

/** What a promise comes to, or the reason of the signal when that is aborted first. The promise is then let go. */
export function orAborted<T>(promise: PromiseLike<T>, aborted: Aborted): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(aborted.signal.reason);
    aborted.add(abort);
    promise.then(
      (value) => {
        aborted.remove(abort);
        resolve(value);
      },
      (error: unknown) => {
        aborted.remove(abort);
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
      aborted.remove(abort);
    };
    aborted.add(abort);
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
