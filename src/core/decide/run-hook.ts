import { isPromise } from "../base/error-text.ts";
import { HookFailureError } from "../events/hook-failure-error.ts";
import { rememberOwn } from "../events/known-events.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import { Deadlines, type StopReason } from "./deadline.ts";
import type { HookFailure } from "./decision.ts";
import { CANCELLED } from "./failures.ts";
import type { FiredEvent } from "./fired-event.ts";
import {
  type HookAnswer,
  type HookCall,
  HookCallContext,
  NO_ANSWER,
  notifyOfRun,
  type Recheck,
} from "./hook-call.ts";
import { failedAnswer, readAnswer, readThrown } from "./read-answer.ts";
import { timeOf } from "./record.ts";

const NOW = Promise.resolve();

/** How long a stopped hook may take to end what it started and to say what it has refused. */
const CLEANUP_MILLISECONDS = 2000;

/**
 * Runs one hook. Never throws or rejects: whatever goes wrong is the failure of its answer. Returns a promise only when
 * the hook returned one.
 */
export function runHook(
  scope: FiredEvent,
  hook: RegisteredHook,
  recheck?: Recheck,
): HookCall | Promise<HookCall> {
  const call = newCall(scope, hook, recheck);
  if (call.known.own) rememberOwn(call.event, call.known);
  if (scope.engine.observers.size > 0) {
    const started_at = timeOf(scope, call.started);
    notifyOfRun(call, { type: "begin", handler: hook.handler.type, started_at, recheck: call.recheck });
  }
  try {
    const value = hook.handler.run(call.event, new HookCallContext(call));
    return isPromise(value) ? waitForAnswer(call, value) : finish(call, readAnswer(value, call));
  } catch (error) {
    return finish(call, readThrown(error, call));
  }
}

/** Begins a run: of a hook of the plan, or of one that is asked again. */
function newCall(scope: FiredEvent, hook: RegisteredHook, recheck?: Recheck): HookCall {
  const number = scope.runs;
  scope.runs += 1;
  return {
    scope,
    hook,
    event: recheck?.event ?? scope.event,
    known: recheck?.known ?? scope.known,
    recheck: recheck !== undefined && recheck.chosen !== true,
    started: scope.reading,
    number,
    duration: 0,
    answer: NO_ANSWER,
    facts: undefined,
    controller: undefined,
    over: false,
  };
}

/** Waits until the hook answers, its time is up or the caller cancels. A later answer is ignored. */
function waitForAnswer(call: HookCall, value: PromiseLike<unknown>): Promise<HookCall> {
  const { scope, hook } = call;
  const { clock } = scope.engine.ports;
  return new Promise((resolve) => {
    let stopped: HookFailure | undefined;
    let isDone = false;
    let stopWatching = (): void => {};
    const done = (answer: HookAnswer): void => {
      if (isDone) return;
      isDone = true;
      stopWatching();
      resolve(finish(call, stopped === undefined ? answer : failedAnswer(stopped, answer)));
    };
    const fail = (error: unknown): void => {
      if (!isDone) done(readThrown(error, call));
    };
    try {
      value.then((answer) => {
        if (!isDone) done(readAnswer(answer, call));
      }, fail);
    } catch (error) {
      fail(error);
    }
    // Most hooks have answered by then. An answer that is there counts even if the hook itself has cancelled the event.
    NOW.then(() => {
      if (isDone) return;
      const stop = (why: StopReason): void => {
        stopped = stopFailure(why, hook);
        call.over = true;
        call.controller?.abort(new HookFailureError(stopped.kind, stopped.message));
        // A hook may answer the moment its signal is aborted.
        if (isDone) return;
        const giveUp = (): void => done(NO_ANSWER);
        if (hook.handler.tidies !== true) giveUp();
        else stopWatching = clock.after(CLEANUP_MILLISECONDS, giveUp);
      };
      try {
        scope.deadlines ??= new Deadlines(clock, scope.options.signal);
        stopWatching = scope.deadlines.watch(call.started, hook.timeoutMs, stop);
      } catch (error) {
        fail(error);
      }
    });
  });
}

function stopFailure(why: StopReason, { timeoutMs }: RegisteredHook): HookFailure {
  if (why === "cancelled") return CANCELLED;
  return { kind: "timeout", message: `No answer within ${timeoutMs / 1000} s.` };
}

function finish(call: HookCall, answer: HookAnswer): HookCall {
  call.over = true;
  call.answer = answer;
  call.duration = readClock(call.scope) - call.started;
  return call;
}

/** Reads the clock. The end of one hook is the start of the next. */
export function readClock(scope: FiredEvent): number {
  scope.reading = scope.engine.ports.clock.monotonic();
  return scope.reading;
}
