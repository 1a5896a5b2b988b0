import { ModelFailure } from "./model-failure.ts";
import type { AgentSession, ModelCalls } from "./session.ts";

/**
 * Begins the time a model has to answer; `calls.started` is to be taken back once it has. One timer serves the calls of
 * a turn, since making one costs as much as most steps of the loop: when it goes off it looks at the call that runs
 * then, and waits on for the time that one has left.
 */
export function beginDeadline({ clock, limits }: AgentSession, calls: ModelCalls): void {
  const milliseconds = limits.response_seconds * 1000;
  const look = (): void => {
    calls.cancelTimer = undefined;
    if (calls.started === undefined) return;
    const left = calls.started + milliseconds - clock.monotonic();
    if (left > 0) calls.cancelTimer = clock.after(Math.ceil(left), look);
    else {
      const message = `The model took more than ${limits.response_seconds} s to answer.`;
      calls.controller.abort(new ModelFailure("response_timeout", message));
    }
  };
  calls.started = clock.monotonic();
  calls.cancelTimer ??= clock.after(milliseconds, look);
}

/** Takes the timer back: no more calls follow. */
export function endDeadlines(calls: ModelCalls): void {
  calls.cancelTimer?.();
  calls.cancelTimer = undefined;
}
