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

/** Waits for a promise; rejects with the signal's reason when that is aborted first. Nothing stops the promise itself. */
export async function raceAbort<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { signal: settled.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}
