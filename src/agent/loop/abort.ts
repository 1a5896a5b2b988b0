import { setMaxListeners } from "node:events";
import type { Clock } from "../../core/base/clock.ts";

/** How long an aborted task may take to clean up before nobody waits for it any longer. */
interface Grace {
  readonly clock: Clock;
  readonly milliseconds: number;
}

/** A controller whose signal any number of tools may listen to; Node warns about more than ten listeners otherwise. */
export function sharedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * Waits for a promise until the signal is aborted, or until the grace period after the abort is over.
 *
 * @throws the reason of the signal, or what the promise rejects with.
 */
export function raceAbort<T>(promise: PromiseLike<T>, signal: AbortSignal, grace?: Grace): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancelTimer = (): void => {};
    const end = (): void => reject(signal.reason);
    const onAbort = (): void => {
      if (grace === undefined) end();
      else cancelTimer = grace.clock.after(grace.milliseconds, end);
    };
    const forget = (): void => {
      signal.removeEventListener("abort", onAbort);
      cancelTimer();
    };
    promise.then(resolve, reject).then(forget);
    if (signal.aborted) queueMicrotask(onAbort);
    else signal.addEventListener("abort", onAbort);
  });
}

/** @throws the reason of the signal when it is aborted meanwhile. */
export async function sleep(milliseconds: number, signal: AbortSignal, clock: Clock): Promise<void> {
  let cancel = (): void => {};
  const waiting = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  await raceAbort(waiting, signal).finally(cancel);
}
