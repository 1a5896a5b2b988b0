/** A signal that is aborted with another one, or when a time is over. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when it was the time. */
  passed(): boolean;
  /** Lets go of the timer and of the other signal. */
  end(): void;
}

/** Starts a deadline; without a time it waits for the signal alone. */
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
