import { ignore, isPromise } from "../base/error-text.ts";
import { HookFailureError } from "../events/hook-failure-error.ts";
import { rememberOwn } from "../events/known-events.ts";
import { closeHook, type RegisteredHook } from "../registration/registered-hook.ts";
import { Deadlines, type StopReason } from "./deadline.ts";
import type { HookFailure, HookRun } from "./decision.ts";
import { type EventScope, readClock, timeOf } from "./event-scope.ts";
import { CANCELLED, failureOf } from "./failures.ts";
import {
  type HookAnswer,
  type HookCall,
  HookCallContext,
  NO_ANSWER,
  newCall,
  notifyOfRun,
  type Recheck,
} from "./hook-call.ts";
import { failedAnswer, readAnswer, readThrown } from "./read-answer.ts";
import { summarise } from "./read-outcomes.ts";

/** How long a stopped hook may take to end what it started and to say what it has refused. */
const CLEANUP_MILLISECONDS = 2000;

/**
 * Runs one hook. Never throws or rejects: whatever goes wrong is the failure of its answer. Returns a promise only when
 * the hook returned one. Call {@link recordRun} exactly once for each run.
 */
export function runHook(
  scope: EventScope,
  hook: RegisteredHook,
  recheck?: Recheck,
): HookCall | Promise<HookCall> {
  const call = newCall(scope, hook, recheck);
  rememberOwn(call.event, call.known);
  if (!scope.engine.observers.isEmpty) {
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

/** Waits until the hook answers, its time is up or the caller cancels. A later answer is ignored. */
function waitForAnswer(call: HookCall, value: PromiseLike<unknown>): Promise<HookCall> {
  const { scope, hook } = call;
  const { clock } = scope.engine.ports;
  return new Promise((resolve) => {
    let stopped: HookFailure | undefined;
    let isDone = false;
    let stopWatching = (): void => {};
    const done = (read: () => HookAnswer): void => {
      if (isDone) return;
      isDone = true;
      stopWatching();
      const answer = read();
      resolve(finish(call, stopped === undefined ? answer : failedAnswer(stopped, answer)));
    };
    const stop = (why: StopReason): void => {
      stopped = stopFailure(why, hook);
      call.over = true;
      call.controller?.abort(new HookFailureError(stopped.kind, stopped.message));
      // A hook may answer the moment its signal is aborted.
      if (isDone) return;
      const giveUp = (): void => done(() => NO_ANSWER);
      if (hook.handler.tidies !== true) giveUp();
      else stopWatching = clock.after(CLEANUP_MILLISECONDS, giveUp);
    };
    try {
      // First, so that an answer that is there already counts even if the hook itself has cancelled the event.
      value.then(
        (answer) => done(() => readAnswer(answer, call)),
        (error) => done(() => readThrown(error, call)),
      );
      if (isDone) return;
      scope.deadlines ??= new Deadlines(clock, scope.options.signal);
      stopWatching = scope.deadlines.watch(call.started, hook.timeoutMs, stop);
    } catch (error) {
      done(() => readThrown(error, call));
    }
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

/** Writes the record of a run, counts the run and notifies observers of its end. */
export function recordRun(call: HookCall): HookRun {
  const { scope, hook, facts, duration } = call;
  const { outcomes, failure, rewritten } = call.answer;
  const outcome = summarise(outcomes);
  const run: { -readonly [Key in keyof HookRun]: HookRun[Key] } = emptyRun(scope, hook, call.started);
  run.duration_ms = duration;
  if (outcome !== undefined) run.outcome = outcome;
  if (facts !== undefined) Object.assign(run, facts);
  if (failure !== undefined) run.failure = failure;
  if (call.recheck) run.recheck = true;
  if (hook.hook.async) run.async = true;
  if (rewritten !== undefined) {
    run.input_before = rewritten.before;
    run.input_after = rewritten.after;
  }
  const { counters } = hook;
  counters.runs += 1;
  counters.total_ms += duration;
  counters.max_ms = Math.max(counters.max_ms, duration);
  if (outcome?.action === "deny") counters.denials += 1;
  if (failure !== undefined) counters.failures += 1;
  if (!scope.engine.observers.isEmpty) notifyOfRun(call, { type: "end", run });
  // Removing the hook has ended its processes; this run may have started them again.
  if (hook.removed) ignore(closeHook(hook));
  return run;
}

/** The record of a hook that matched but never began, because the run ended before its turn. */
export function skippedRun(
  scope: EventScope,
  hook: RegisteredHook,
  why: NonNullable<HookRun["skipped"]>,
): HookRun {
  const run = { ...emptyRun(scope, hook), skipped: why };
  return why === "cancelled" ? { ...run, failure: CANCELLED } : run;
}

/** The record of a hook whose matcher threw, so that nobody knows whether it should have run. */
export function unmatchedRun(scope: EventScope, hook: RegisteredHook, error: unknown): HookRun {
  const { kind, message } = failureOf(error, undefined);
  return { ...emptyRun(scope, hook), failure: { kind, message: `Its matcher failed: ${message}` } };
}

/** The record of an async hook that was started; observers learn how it ended. */
export function startedRun(scope: EventScope, hook: RegisteredHook): HookRun {
  return { ...emptyRun(scope, hook), async: true };
}

function emptyRun(scope: EventScope, hook: RegisteredHook, started = scope.reading): HookRun {
  return {
    name: hook.hook.name,
    handler: hook.handler.type,
    event_id: scope.event_id,
    started_at: timeOf(scope, started),
    duration_ms: 0,
  };
}
