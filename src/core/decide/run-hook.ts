import type { Clock } from "../base/clock.ts";
import { isPromise } from "../base/error-text.ts";
import { HookFailureError } from "../events/hook-failure-error.ts";
import { rememberOwn } from "../events/known-events.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { HookFailure } from "./decision.ts";
import { CANCELLED } from "./failures.ts";
import type { Deadlines, FiredEvent, StopReason } from "./fired-event.ts";
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
        scope.deadlines ??= new EventDeadlines(clock, scope.options.signal);
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

/** A run of a hook that is waited for. */
interface Waiting {
  readonly ends: number;
  readonly stop: (why: StopReason) => void;
}

/** Stops the hooks of one event at their deadline or when the caller cancels, with one timer and one abort listener. */
class EventDeadlines implements Deadlines {
  private readonly clock: Clock;
  private readonly signal: AbortSignal | undefined;
  private readonly waiting = new Set<Waiting>();
  private timer: { readonly at: number; readonly cancel: () => void } | undefined;
  private isListening = false;

  constructor(clock: Clock, signal: AbortSignal | undefined) {
    this.clock = clock;
    this.signal = signal;
  }

  /**
   * Calls `stop` once, when the time is up or the caller cancels.
   *
   * @returns a function that stops watching.
   * @throws when the caller's signal is not an AbortSignal.
   */
  watch(started: number, milliseconds: number, stop: Waiting["stop"]): () => void {
    if (this.signal?.aborted === true) queueMicrotask(this.cancelAll);
    else if (!this.isListening) {
      this.signal?.addEventListener("abort", this.onAbort);
      this.isListening = true;
    }
    const waiting = { ends: started + milliseconds, stop };
    this.waiting.add(waiting);
    this.setTimer(waiting.ends);
    return () => this.waiting.delete(waiting);
  }

  /** Ends the timer and the listener. Call it when no hook is waited for any more. */
  close(): void {
    this.timer?.cancel();
    this.timer = undefined;
    if (this.isListening) this.signal?.removeEventListener("abort", this.onAbort);
    this.isListening = false;
  }

  /** Reads the clock: a hook may have worked synchronously since it started, which counts. */
  private setTimer(at: number): void {
    if (this.timer !== undefined && this.timer.at <= at) return;
    this.timer?.cancel();
    const now = this.clock.monotonic();
    this.timer = { at, cancel: this.clock.after(Math.max(0, at - now), () => this.onTime(at)) };
  }

  private onTime(at: number): void {
    this.timer = undefined;
    const now = Math.max(at, this.clock.monotonic());
    this.stopAll("timeout", ({ ends }) => ends <= now);
    const next = Math.min(...Array.from(this.waiting, ({ ends }) => ends));
    if (next !== Infinity) this.setTimer(next);
  }

  /** Later than the abort itself, so that a hook that had answered before it still counts. */
  private readonly onAbort = (): void => queueMicrotask(this.cancelAll);

  private readonly cancelAll = (): void => this.stopAll("cancelled", () => true);

  private stopAll(why: StopReason, isDue: (waiting: Waiting) => boolean): void {
    for (const waiting of [...this.waiting])
      if (isDue(waiting) && this.waiting.delete(waiting)) waiting.stop(why);
  }
}
