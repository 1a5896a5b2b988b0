import type { Clock } from "../../core/base/clock.ts";

/** A signal that is aborted by another signal or by a timeout. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when it was the timeout. */
  passed(): boolean;
  /** Releases the timer and the other signal. */
  end(): void;
}

/**
 * Starts a timeout next to a signal. `AbortSignal.any` with `AbortSignal.timeout` will not do: Node 20 never fires it once
 * garbage was collected.
 */
export function startDeadline(signal: AbortSignal, milliseconds: number | undefined): Deadline {
  const controller = new AbortController();
  let passed = false;
  const follow = (): void => controller.abort(signal.reason);
  const expire = (): void => {
    passed = true;
    controller.abort();
  };
  const timer = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds);
  if (signal.aborted) follow();
  else signal.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    passed: () => passed,
    end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", follow);
    },
  };
}

/**
 * Does something that has so much time.
 *
 * @param late what is thrown when the time was over, in place of the failure.
 * @throws what the work throws.
 */
export async function withinTime<Result>(
  milliseconds: number,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<Result>,
  late: (cause: unknown) => Error,
): Promise<Result> {
  const deadline = startDeadline(signal, milliseconds);
  try {
    return await work(deadline.signal);
  } catch (error) {
    throw deadline.passed() ? late(error) : error;
  } finally {
    deadline.end();
  }
}

/** How long an aborted task may take to clean up before nobody waits for it any longer. */
interface Grace {
  readonly clock: Clock;
  readonly milliseconds: number;
}

/**
 * Waits for a promise until the signal is aborted, or until the grace period after the abort is over. Nothing stops the
 * promise itself.
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
