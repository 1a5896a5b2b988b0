import { errorText } from "../base/error-text.ts";
import { HookFailureError } from "../events/hook-failure-error.ts";
import type { HookFailure } from "./decision.ts";
import { onCancel } from "./event-scope.ts";
import { endCall, type HookCall, settleCall } from "./hook-call.ts";
import type { Lookout } from "./lookout.ts";
import { SAID_NOTHING, type Said, saidFailure } from "./said.ts";

/** How long a hook that was ended may take to end what it started, and to say what it has refused. */
const TIDY_MILLISECONDS = 2000;

/** The failure of a hook whose run was cancelled. */
export const CANCELLED: HookFailure = { kind: "cancelled", message: "The run was cancelled." };

/** What a hook's answer, or what it threw, comes to. Must not throw. */
export interface Hearing {
  answered(value: unknown, call: HookCall): Said;
  threw(error: unknown, call: HookCall): Said;
}

/** Who goes on when a run is over. Must not throw. */
export interface Awaiting {
  over(call: HookCall, waiter: Waiter): void;
}

/**
 * Waits for hooks, one after the other: each until it answers, its deadline, or the end of the run, whichever comes
 * first. Most async hooks have answered before anything else happens, so what costs more than they do (the deadline, a
 * listener) is left to a {@link Lookout}, and one waiter serves the hooks of an event as long as it is not spent.
 */
export interface Waiter {
  /** The run that is waited for; none once it is over. */
  call: HookCall | undefined;
  awaiting: Awaiting | undefined;
  /** Who looks at it before long. */
  lookout: Lookout | undefined;
  /** True when a hook may still answer that nobody waits for: what it says must not pass for another's answer. */
  spent: boolean;
  stopped: HookFailure | undefined;
  cancelTimer: (() => void) | undefined;
  forget: (() => void) | undefined;
  readonly answered: (value: unknown) => void;
  readonly threw: (error: unknown) => void;
}

/** Somebody to wait for hooks. */
export function newWaiter(hearing: Hearing): Waiter {
  const waiter: Waiter = {
    call: undefined,
    awaiting: undefined,
    lookout: undefined,
    spent: false,
    stopped: undefined,
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

/** A run whose hook did not answer at once. */
export type AnsweringCall = HookCall & { readonly answer: PromiseLike<unknown> };

/** True for a run that has to be waited for. */
export function isAnswering(call: HookCall): call is AnsweringCall {
  return call.answer !== undefined;
}

/** Begins to wait for a run. The waiter must not be spent. */
export function waitFor(waiter: Waiter, call: AnsweringCall, awaiting: Awaiting): void {
  const { answer, asked } = call;
  const { lookout } = asked.scope;
  waiter.call = call;
  waiter.awaiting = awaiting;
  if (waiter.lookout !== lookout || lookout.isOverdue(call.started)) lookout.add(waiter, call.started);
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

/** Sets an end to the run a waiter waits for: its deadline, and when the caller cancels. */
export function setEnd(waiter: Waiter): void {
  const { call } = waiter;
  if (call === undefined) return;
  const { scope } = call.asked;
  const { clock } = scope.ports;
  const { timeoutMs } = call.hook;
  const left = timeoutMs - (clock.monotonic() - call.started);
  waiter.cancelTimer = clock.after(Math.max(0, left), () => {
    stop(waiter, call, { kind: "timeout", message: `No answer within ${timeoutMs / 1000} s.` });
  });
  try {
    waiter.forget = onCancel(scope, () => stop(waiter, call, CANCELLED));
  } catch (error) {
    // The caller's signal is none. Thrown from a timer this would end the program.
    stop(waiter, call, { kind: "error", message: errorText(error) });
  }
}

function stop(waiter: Waiter, call: HookCall, failure: HookFailure): void {
  waiter.cancelTimer?.();
  waiter.forget?.();
  waiter.spent = true;
  waiter.stopped = failure;
  endCall(call, new HookFailureError(failure.kind, failure.message));
  // A hook that hears of it may answer in the same moment.
  if (waiter.call !== call) return;
  if (call.hook.handler.tidies !== true) finish(waiter, call, SAID_NOTHING);
  else
    waiter.cancelTimer = call.asked.scope.ports.clock.after(TIDY_MILLISECONDS, () =>
      finish(waiter, call, SAID_NOTHING),
    );
}

function finish(waiter: Waiter, call: HookCall, said: Said): void {
  const { awaiting, stopped, cancelTimer, forget } = waiter;
  waiter.call = undefined;
  settleCall(call, stopped === undefined ? said : saidFailure(stopped, said));
  if (cancelTimer !== undefined) {
    cancelTimer();
    waiter.cancelTimer = undefined;
  }
  if (forget !== undefined) {
    forget();
    waiter.forget = undefined;
  }
  awaiting?.over(call, waiter);
}
