import type { HookFailure } from "./decision.ts";
import { errorMessage, errorText, isPromise } from "./error-text.ts";
import { onCancel, timeOf } from "./fire-scope.ts";
import { hear } from "./hear.ts";
import { type Asked, HookCall, HookCallContext } from "./hook-call.ts";
import { HookFailureError, isHookFailure } from "./hook-failure-error.ts";
import type { RegisteredHook } from "./registered-hook.ts";
import { refuses } from "./reply.ts";
import { SAID_NOTHING, type Said, saidFailure } from "./said.ts";

/** Calls back in a moment, at a fraction of what `queueMicrotask` costs. */
const NOW = Promise.resolve();

/** How long a hook that was ended may take to end what it started. */
const TIDY_MILLISECONDS = 2000;

/** The failure of a hook whose run was cancelled. */
export const CANCELLED: HookFailure = { kind: "cancelled", message: "The run was cancelled." };

/**
 * Runs one hook on one event. Never throws and never rejects: whatever goes wrong is the run's failure. Answers at
 * once when the hook does. The run is to be concluded (`hook-runs.ts`) exactly once.
 */
export function runHook(asked: Asked, hook: RegisteredHook): HookCall | Promise<HookCall> {
  const { scope } = asked;
  const call = new HookCall(asked, hook);
  if (!scope.observers.silent) {
    call.tell({
      type: "begin",
      handler: hook.handler.type,
      started_at: timeOf(scope, call.started),
      recheck: asked.recheck,
    });
  }
  try {
    const value = hook.handler.run(asked.event, new HookCallContext(call));
    // In a function of its own: a closure here would cost every hook, also those that answer at once.
    if (value !== undefined)
      return isPromise(value) ? settleLater(call, value) : call.settle(hear(value, call));
  } catch (error) {
    return call.settle(saidThrown(error, call));
  }
  return call.settle(SAID_NOTHING);
}

/** What a hook said that threw: how it failed, and what it refused all the same. */
function saidThrown(error: unknown, call: HookCall): Said {
  const failure = failureOf(error, call.scope.options.signal);
  if (!isHookFailure(error) || error.refusals.length === 0) return saidFailure(failure);
  const { outcomes } = hear(error.refusals.filter(refuses), call);
  return { outcomes, rewritten: undefined, failure };
}

/**
 * Waits for the hook, its deadline or the end of the run, whichever comes first. Never rejects. Most async hooks have
 * answered a moment later, so the deadline and the listener, which cost more than they do, are set only after that.
 */
function settleLater(call: HookCall, promise: PromiseLike<unknown>): Promise<HookCall> {
  const { timeoutMs } = call.hook;
  return new Promise((resolve) => {
    let stopped: HookFailure | undefined;
    let answered = false;
    let cancelTimer: (() => void) | undefined;
    let forget: (() => void) | undefined;
    const finish = (said: Said): void => {
      answered = true;
      cancelTimer?.();
      forget?.();
      resolve(call.settle(stopped === undefined ? said : saidFailure(stopped)));
    };
    const fail = (error: unknown): void => finish(saidThrown(error, call));
    const answer = (value: unknown): void => {
      if (answered) return;
      let said: Said;
      try {
        said = hear(value, call);
      } catch (error) {
        fail(error);
        return;
      }
      finish(said);
    };
    const stop = (failure: HookFailure): void => {
      cancelTimer?.();
      forget?.();
      stopped = failure;
      call.end(new HookFailureError(failure.kind, failure.message));
      if (call.hook.handler.tidies !== true) finish(SAID_NOTHING);
      else cancelTimer = call.scope.ports.clock.after(TIDY_MILLISECONDS, () => finish(SAID_NOTHING));
    };
    try {
      promise.then(answer, (error: unknown) => (answered ? undefined : fail(error)));
    } catch (error) {
      fail(error);
    }
    NOW.then(() => {
      if (answered) return;
      cancelTimer = call.scope.ports.clock.after(timeoutMs, () => {
        stop({ kind: "timeout", message: `No answer within ${timeoutMs / 1000} s.` });
      });
      forget = onCancel(call.scope, () => stop(CANCELLED));
    });
  });
}

/** The failure an exception stands for. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): HookFailure {
  if (isHookFailure(error)) return { kind: error.kind, message: errorMessage(error) };
  if (signal?.aborted === true) return CANCELLED;
  return { kind: "error", message: errorText(error) };
}
