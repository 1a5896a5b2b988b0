import { errorMessage, errorText, isPromise } from "../base/error-text.ts";
import { isHookFailure } from "../events/hook-failure-error.ts";
import { rememberOwn } from "../events/own-events.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { HookFailure } from "./decision.ts";
import { timeOf } from "./event-scope.ts";
import { type Asked, type HookCall, HookCallContext, hookCall, settleCall, tellOfRun } from "./hook-call.ts";
import { CANCELLED, type Hearing, isAnswering, newWaiter, type Waiter, waitFor } from "./pending-call.ts";
import { hear } from "./read-answer.ts";
import { refuses } from "./read-outcomes.ts";
import { SAID_NOTHING, type Said, saidFailure } from "./said.ts";

/**
 * Runs one hook on one event. Never throws: whatever goes wrong is the run's failure. It is over at once when the hook
 * answers so, else its `answer` is to be waited for. The run is to be concluded (`hook-runs.ts`) exactly once.
 */
export function runHook(asked: Asked, hook: RegisteredHook): HookCall {
  const call = hookCall(asked, hook);
  const { scope } = asked;
  rememberOwn(asked.event, asked.known);
  if (!scope.observers.silent) {
    tellOfRun(call, {
      type: "begin",
      handler: hook.handler.type,
      started_at: timeOf(scope, call.started),
      recheck: asked.recheck,
    });
  }
  try {
    const value = hook.handler.run(asked.event, new HookCallContext(call));
    if (value === undefined) return settleCall(call, SAID_NOTHING);
    if (!isPromise(value)) return settleCall(call, hear(value, call));
    call.answer = value;
    return call;
  } catch (error) {
    return settleCall(call, saidThrown(error, call));
  }
}

/** Runs one hook and waits for it. Never rejects. */
export function runHookToEnd(asked: Asked, hook: RegisteredHook): Promise<HookCall> {
  const call = runHook(asked, hook);
  if (!isAnswering(call)) return Promise.resolve(call);
  return new Promise((resolve) => {
    const over = (_: HookCall, waiter: Waiter): void => {
      releaseWaiter(waiter);
      resolve(call);
    };
    waitFor(hookWaiter(), call, { over });
  });
}

/** Waiters that are done. They are used again: functions made anew for each event lose the code compiled for them. */
const idle: Waiter[] = [];
const MOST_IDLE = 8;

/** Somebody to wait for hooks, one after the other. To be given back. */
export function hookWaiter(): Waiter {
  return idle.pop() ?? newWaiter(LATER);
}

/** Gives a waiter back that waits for nothing any more. */
export function releaseWaiter(waiter: Waiter): void {
  waiter.awaiting = undefined;
  if (!waiter.spent && idle.length < MOST_IDLE) idle.push(waiter);
}

/** What a hook said that threw: how it failed, and what it refused all the same. */
function saidThrown(error: unknown, call: HookCall): Said {
  const failure = failureOf(error, call.asked.scope.options.signal);
  if (!isHookFailure(error) || error.refusals.length === 0) return saidFailure(failure);
  return saidFailure(failure, hear(error.refusals.filter(refuses), call));
}

/** How what an async hook says later is heard. */
const LATER: Hearing = {
  answered(value, call) {
    try {
      return hear(value, call);
    } catch (error) {
      return saidThrown(error, call);
    }
  },
  threw: saidThrown,
};

/** The failure an exception stands for. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): HookFailure {
  if (isHookFailure(error)) return { kind: error.kind, message: errorMessage(error) };
  if (signal?.aborted === true) return CANCELLED;
  return { kind: "error", message: errorText(error) };
}
