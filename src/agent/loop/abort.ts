import { setMaxListeners } from "node:events";
import type { Clock } from "../../core/base/clock.ts";
import { type Deferred, deferred } from "../../core/decide/deferred.ts";

/**
 * A signal, and those who want to know when it is aborted. The signal has one listener however many there are and come
 * and go: listening to a signal costs more than most steps of the loop.
 */
export interface Aborted {
  readonly signal: AbortSignal;
  /** True once it is. Cheaper to read than the signal's own. */
  already: boolean;
  /** A list, since there are few, who come and go all the time. */
  readonly callbacks: (() => void)[];
}

/** A controller whose signal any number of tools may listen to: of more than ten Node would warn. */
export function heardByMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Begins to listen to a signal. */
export function watchSignal(signal: AbortSignal): Aborted {
  const aborted: Aborted = { signal, already: signal.aborted, callbacks: [] };
  signal.addEventListener("abort", () => {
    aborted.already = true;
    for (const callback of [...aborted.callbacks]) callback();
  });
  return aborted;
}

/** Calls back when the signal is aborted, at once if it is already. Take it back with {@link offAbort}. */
export function onAbort(aborted: Aborted, callback: () => void): void {
  if (aborted.already) callback();
  else aborted.callbacks.push(callback);
}

/** Takes a callback back. */
export function offAbort({ callbacks }: Aborted, callback: () => void): void {
  const at = callbacks.lastIndexOf(callback);
  if (at === callbacks.length - 1) callbacks.pop();
  else if (at !== -1) callbacks.splice(at, 1);
}

/** What a promise comes to, or the reason of the signal when that is aborted first. The promise is then let go. */
export function orAborted<T>(promise: PromiseLike<T>, aborted: Aborted): Promise<T>;
export function orAborted(promise: PromiseLike<unknown>, aborted: Aborted): Promise<unknown> {
  return waitFor(promise, aborted, undefined);
}

/** What a promise comes to; after an abort it has a little time to end what it started, then the reason is thrown. */
export function orAbortedAfter<T>(promise: PromiseLike<T>, aborted: Aborted, grace: Grace): Promise<T>;
export function orAbortedAfter(
  promise: PromiseLike<unknown>,
  aborted: Aborted,
  grace: Grace,
): Promise<unknown> {
  return waitFor(promise, aborted, grace);
}

/** The time something has to end what it started. */
interface Grace {
  readonly clock: Clock;
  readonly milliseconds: number;
}

/** Somebody who waits for one promise at a time. */
interface Waiting {
  aborted: Aborted | undefined;
  grace: Grace | undefined;
  cancelTimer: (() => void) | undefined;
  done: Deferred<unknown> | undefined;
  /** True when the promise may still call back, though nobody waits for it. */
  spent: boolean;
  readonly fulfilled: (value: unknown) => void;
  readonly rejected: (reason: unknown) => void;
  readonly abort: () => void;
}

/** Those who are done, to wait again: functions that are made anew for each wait lose the code compiled for them. */
const idle: Waiting[] = [];
const MOST_IDLE = 8;
const { then: NATIVE_THEN } = Promise.prototype;

function waitFor(
  promise: PromiseLike<unknown>,
  aborted: Aborted,
  grace: Grace | undefined,
): Promise<unknown> {
  const waiting = idle.pop() ?? newWaiting();
  const done = deferred<unknown>();
  waiting.aborted = aborted;
  waiting.grace = grace;
  waiting.done = done;
  onAbort(aborted, waiting.abort);
  // Another kind of promise can call back as often as it likes.
  waiting.spent ||= !(promise instanceof Promise) || promise.then !== NATIVE_THEN;
  try {
    promise.then(waiting.fulfilled, waiting.rejected);
  } catch (error) {
    waiting.rejected(error);
  }
  return done.promise;
}

function newWaiting(): Waiting {
  const waiting: Waiting = {
    aborted: undefined,
    grace: undefined,
    cancelTimer: undefined,
    done: undefined,
    spent: false,
    fulfilled: (value) => {
      const { done } = waiting;
      release(waiting);
      done?.resolve(value);
    },
    rejected: (reason) => {
      const { done } = waiting;
      release(waiting);
      done?.reject(reason);
    },
    abort: () => {
      const { aborted, grace, done } = waiting;
      waiting.spent = true;
      const give = (): void => done?.reject(aborted?.signal.reason);
      if (grace === undefined) give();
      else waiting.cancelTimer = grace.clock.after(grace.milliseconds, give);
    },
  };
  return waiting;
}

function release(waiting: Waiting): void {
  const { aborted, cancelTimer } = waiting;
  if (aborted !== undefined) offAbort(aborted, waiting.abort);
  cancelTimer?.();
  waiting.aborted = undefined;
  waiting.grace = undefined;
  waiting.cancelTimer = undefined;
  waiting.done = undefined;
  if (!waiting.spent && idle.length < MOST_IDLE) idle.push(waiting);
}

/** Waits; an abort ends the wait with the reason of the signal. */
export function sleep(milliseconds: number, aborted: Aborted, clock: Clock): Promise<void> {
  let cancel: (() => void) | undefined;
  const waiting = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  return orAborted(waiting, aborted).finally(() => cancel?.());
}

/** Does something that ends with a signal, and can be ended by itself. The signal has no listener more afterwards. */
export async function followed<Result>(
  signal: AbortSignal,
  work: (aborted: Aborted, controller: AbortController) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const end = (): void => controller.abort(signal.reason);
  signal.addEventListener("abort", end);
  try {
    return await work(watchSignal(controller.signal), controller);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
