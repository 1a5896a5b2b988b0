import type { AgentSession, ModelCalls } from "../session/session.ts";
import { ModelFailure } from "./failure.ts";

/**
 * Begins the time a model has to answer; `calls.started` is to be taken back once it has. One timer serves the calls of
 * a turn, since making one costs as much as most steps of the loop: when it goes off it looks at the call that runs
 * then, and waits on for the time that one has left.
 */
export function beginDeadline(session: AgentSession, calls: ModelCalls): void {
  calls.started = session.clock.monotonic();
  if (calls.cancelTimer === undefined) lookAfter(session.limits.response_seconds * 1000, session, calls);
}

function lookAfter(milliseconds: number, session: AgentSession, calls: ModelCalls): void {
  const { clock, limits } = session;
  calls.cancelTimer = clock.after(milliseconds, () => {
    calls.cancelTimer = undefined;
    if (calls.started === undefined) return;
    const left = calls.started + limits.response_seconds * 1000 - clock.monotonic();
    if (left > 0) lookAfter(Math.ceil(left), session, calls);
    else {
      const message = `The model took more than ${limits.response_seconds} s to answer.`;
      calls.controller.abort(new ModelFailure("response_timeout", message));
    }
  });
}

/** Takes the timer back: no more calls follow. */
export function endDeadlines(calls: ModelCalls): void {
  calls.cancelTimer?.();
  calls.cancelTimer = undefined;
}
