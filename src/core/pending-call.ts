import type { HookFailure } from "./decision.ts";
import type { Engine } from "./engine.ts";
import { onCancel } from "./fire-scope.ts";
import { endCall, type HookCall, settleCall } from "./hook-call.ts";
import { HookFailureError } from "./hook-failure-error.ts";
import type { Pass } from "./pass.ts";
import { SAID_NOTHING, type Said, saidFailure } from "./said.ts";

/** How long a hook that was ended may take to end what it started. */
const TIDY_MILLISECONDS = 2000;

/** The failure of a hook whose run was cancelled. */
export const CANCELLED: HookFailure = { kind: "cancelled", message: "The run was cancelled." };

/** Over in a moment, at a fraction of what `queueMicrotask` costs. */
const MOMENT = Promise.resolve();

/** What a hook's answer, or what it threw, comes to. Must not throw. */
export interface Hearing {
  answered(value: unknown, call: HookCall): Said;
  threw(error: unknown, call: HookCall): Said;
}

/**
 * Waits for hooks, one after the other: each until it answers, its deadline, or the end of the run, whichever comes
 * first. Most async hooks have answered a moment later, so what costs more than they do (the deadline, a listener) is
 * made only for the others, and one waiter serves the hooks of an event as long as it is not spent.
 */
export interface Waiter {
  /** The run that is waited for; none once it is over. */
  call: HookCall | undefined;
  /** True when a hook may still answer that nobody waits for: what it says must not pass for another's answer. */
  spent: boolean;
  stopped: HookFailure | undefined;
  /** What goes on when a run is over; of a run by itself, who waits for it. */
  rest: RestOfPass | ((call: HookCall) => void) | undefined;
  /** How many moments have begun and not passed: with the last of them a hook has had its own. */
  moments: number;
  cancelTimer: (() => void) | undefined;
  forget: (() => void) | undefined;
  readonly answered: (value: unknown) => void;
  readonly threw: (error: unknown) => void;
  readonly passed: () => void;
}

/**
 * What is left to do of a pass. Data, and not a function made for each pass: V8 drops the code compiled for functions that
 * are gone.
 */
export interface RestOfPass {
  readonly pass: Pass;
  readonly engine: Engine;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Takes a run in and goes on. Must not throw. */
  readonly goOn: (rest: RestOfPass, waiter: Waiter, call: HookCall) => void;
}

/** Somebody to wait for hooks. */
export function newWaiter(hearing: Hearing): Waiter {
  const waiter: Waiter = {
    call: undefined,
    spent: false,
    stopped: undefined,
    rest: undefined,
    moments: 0,
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
    passed: () => {
      waiter.moments -= 1;
      if (waiter.moments === 0 && waiter.call !== undefined) setDeadline(waiter, waiter.call);
    },
  };
  return waiter;
}

const { then: NATIVE_THEN } = Promise.prototype;

/** Begins to wait for a run that has not answered at once; never calls back before this returns. The waiter must not be spent. */
export function waitFor(waiter: Waiter, call: HookCall, answer: PromiseLike<unknown>): void {
  waiter.call = call;
  const isNative = answer instanceof Promise && answer.then === NATIVE_THEN;
  NATIVE_THEN.call(isNative ? answer : adopted(answer), waiter.answered, waiter.threw);
  waiter.moments += 1;
  NATIVE_THEN.call(MOMENT, waiter.passed);
}

/** Another kind of promise can call back at once and as often as it likes. */
function adopted(answer: PromiseLike<unknown>): Promise<unknown> {
  return new Promise((resolve) => resolve(answer));
}

function setDeadline(waiter: Waiter, call: HookCall): void {
  const { scope } = call.asked;
  const { timeoutMs } = call.hook;
  waiter.cancelTimer = scope.ports.clock.after(timeoutMs, () => {
    stop(waiter, call, { kind: "timeout", message: `No answer within ${timeoutMs / 1000} s.` });
  });
  waiter.forget = onCancel(scope, () => stop(waiter, call, CANCELLED));
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
  const { cancelTimer, forget, stopped } = waiter;
  waiter.call = undefined;
  settleCall(call, stopped === undefined ? said : saidFailure(stopped));
  if (cancelTimer !== undefined || forget !== undefined) {
    cancelTimer?.();
    forget?.();
    waiter.cancelTimer = undefined;
    waiter.forget = undefined;
  }
  const { rest } = waiter;
  if (typeof rest === "function") rest(call);
  else rest?.goOn(rest, waiter, call);
}
