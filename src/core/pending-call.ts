import type { HookFailure } from "./decision.ts";
import { onCancel } from "./fire-scope.ts";
import { endCall, type HookCall, settleCall } from "./hook-call.ts";
import { HookFailureError } from "./hook-failure-error.ts";
import { SAID_NOTHING, type Said, saidFailure } from "./said.ts";

/** How long a hook that was ended may take to end what it started. */
const TIDY_MILLISECONDS = 2000;

/** The failure of a hook whose run was cancelled. */
export const CANCELLED: HookFailure = { kind: "cancelled", message: "The run was cancelled." };

/** Over in a moment, at a fraction of what `queueMicrotask` costs. */
export const MOMENT = Promise.resolve();

/** What a hook's answer, or what it threw, comes to. Must not throw. */
export interface Hearing {
  answered(value: unknown, call: HookCall): Said;
  threw(error: unknown, call: HookCall): Said;
}

/**
 * Waits for hooks, one after the other: each until it answers, its deadline, or the end of the run, whichever comes
 * first. Most async hooks have answered a moment later, so what costs more than they do (a promise, the deadline, a
 * listener) is made only for the others, and one waiter serves the hooks of an event as long as it is not spent.
 */
export interface Waiter {
  /** The run that is waited for; none once it is over. */
  call: HookCall | undefined;
  /** True when a hook may still answer that nobody waits for: what it says must not pass for another's answer. */
  spent: boolean;
  stopped: HookFailure | undefined;
  resolve: ((call: HookCall) => void) | undefined;
  cancelTimer: (() => void) | undefined;
  forget: (() => void) | undefined;
  readonly answered: (value: unknown) => void;
  readonly threw: (error: unknown) => void;
}

/** Somebody to wait for hooks. */
export function newWaiter(hearing: Hearing): Waiter {
  const waiter: Waiter = {
    call: undefined,
    spent: false,
    stopped: undefined,
    resolve: undefined,
    cancelTimer: undefined,
    forget: undefined,
    answered: (value) => {
      const { call } = waiter;
      if (call === undefined) return;
      finish(waiter, call, value === undefined ? SAID_NOTHING : hearing.answered(value, call));
    },
    threw: (error) => {
      const { call } = waiter;
      if (call !== undefined) finish(waiter, call, hearing.threw(error, call));
    },
  };
  return waiter;
}

const { then: NATIVE_THEN } = Promise.prototype;

/** Begins to wait for a run that has not answered at once. The waiter must not be spent. */
export function waitFor(waiter: Waiter, call: HookCall, answer: PromiseLike<unknown>): void {
  waiter.call = call;
  try {
    if (answer instanceof Promise && answer.then === NATIVE_THEN)
      NATIVE_THEN.call(answer, waiter.answered, waiter.threw);
    else {
      // Another kind of promise can call back as often as it likes.
      waiter.spent = true;
      answer.then(waiter.answered, waiter.threw);
    }
  } catch (error) {
    waiter.threw(error);
  }
}

/** The run once it is over. Never rejects. Give it a {@link MOMENT} first; mostly it is over then. */
export function settled(waiter: Waiter, call: HookCall): HookCall | Promise<HookCall> {
  if (waiter.call === undefined) return call;
  const { scope } = call.asked;
  const { timeoutMs } = call.hook;
  return new Promise((resolve) => {
    waiter.resolve = resolve;
    waiter.cancelTimer = scope.ports.clock.after(timeoutMs, () => {
      stop(waiter, call, { kind: "timeout", message: `No answer within ${timeoutMs / 1000} s.` });
    });
    waiter.forget = onCancel(scope, () => stop(waiter, call, CANCELLED));
  });
}

function stop(waiter: Waiter, call: HookCall, failure: HookFailure): void {
  waiter.cancelTimer?.();
  waiter.forget?.();
  waiter.spent = true;
  waiter.stopped = failure;
  endCall(call, new HookFailureError(failure.kind, failure.message));
  if (call.hook.handler.tidies !== true) finish(waiter, call, SAID_NOTHING);
  else
    waiter.cancelTimer = call.asked.scope.ports.clock.after(TIDY_MILLISECONDS, () =>
      finish(waiter, call, SAID_NOTHING),
    );
}

function finish(waiter: Waiter, call: HookCall, said: Said): void {
  const { resolve, stopped } = waiter;
  waiter.call = undefined;
  settleCall(call, stopped === undefined ? said : saidFailure(stopped));
  if (resolve === undefined) return;
  waiter.cancelTimer?.();
  waiter.forget?.();
  waiter.resolve = undefined;
  waiter.cancelTimer = undefined;
  waiter.forget = undefined;
  resolve(call);
}
