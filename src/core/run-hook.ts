import type { HookFailure, HookOutcome, HookRun } from "./decision.ts";
import type { FailureKind } from "./effects.ts";
import type { KnownEvent } from "./event-catalogue.ts";
import type { AnyEvent } from "./event-types.ts";
import { type FireScope, readClock, timeOf } from "./fire-scope.ts";
import { HookCall } from "./hook-call.ts";
import { HookFailureError } from "./hook-failure-error.ts";
import type { Outcome } from "./outcomes.ts";
import type { RegisteredHook } from "./registered-hook.ts";
import { type Permission, readReply, refuses } from "./reply.ts";
import { type Rewritten, resolveRewrite } from "./rewrite.ts";
import { summarise } from "./summarise.ts";

/** How one run of a hook ended. Its record is final once {@link concludeRun} was called. */
export interface Settled {
  readonly hook: RegisteredHook;
  readonly call: HookCall;
  readonly event: AnyEvent;
  readonly started: number;
  readonly ended: number;
  readonly recheck: boolean;
  readonly outcomes: readonly Outcome[];
  readonly rewritten: Rewritten | undefined;
  readonly failure: HookFailure | undefined;
}

/** What a hook said, or why it said nothing. */
type Said = Pick<Settled, "outcomes" | "rewritten" | "failure">;

/** What came out of the handler: a value, or the reason why there is none. */
type Answer = { readonly value: unknown } | { readonly failure: HookFailure };

/**
 * Runs one hook on one event. Never throws and never rejects: whatever goes wrong is the run's failure. Answers at
 * once when the hook does.
 */
export function runHook(
  scope: FireScope,
  hook: RegisteredHook,
  event: AnyEvent,
  known: KnownEvent,
  recheck: boolean,
): Settled | Promise<Settled> {
  const call = new HookCall(scope, hook, event);
  const started = scope.reading;
  if (!scope.observers.silent) {
    call.tell({ type: "begin", handler: hook.handler.type, started_at: timeOf(scope, started), recheck });
  }
  let value: unknown;
  try {
    value = hook.handler.run(event, call);
    // In a function of its own: a closure here would cost every hook, also those that answer at once.
    if (isPromise(value)) return settleLater(scope, hook, call, event, started, recheck, known, value);
  } catch (error) {
    const failure = failureOf(error, scope.options.signal);
    return settle(scope, hook, call, event, started, recheck, {
      outcomes: NO_OUTCOMES,
      rewritten: undefined,
      failure,
    });
  }
  const said = value === undefined ? NOTHING : hear(value, event, known, permission(hook));
  return settle(scope, hook, call, event, started, recheck, said);
}

async function settleLater(
  scope: FireScope,
  hook: RegisteredHook,
  call: HookCall,
  event: AnyEvent,
  started: number,
  recheck: boolean,
  known: KnownEvent,
  promise: PromiseLike<unknown>,
): Promise<Settled> {
  const answer = await waitFor(promise, call, hook.timeoutMs, scope);
  const said =
    "value" in answer
      ? hear(answer.value, event, known, permission(hook))
      : { outcomes: NO_OUTCOMES, rewritten: undefined, failure: answer.failure };
  return settle(scope, hook, call, event, started, recheck, said);
}

function settle(
  scope: FireScope,
  hook: RegisteredHook,
  call: HookCall,
  event: AnyEvent,
  started: number,
  recheck: boolean,
  { outcomes, rewritten, failure }: Said,
): Settled {
  call.close();
  return { hook, call, event, started, ended: readClock(scope), recheck, outcomes, rewritten, failure };
}

/** Writes the record of a run, counts it and tells observers that it ended. Call it exactly once for each run. */
export function concludeRun(scope: FireScope, settled: Settled): HookRun {
  const { hook, failure, rewritten } = settled;
  const duration = settled.ended - settled.started;
  const run: Mutable<HookRun> = {
    name: hook.hook.name,
    handler: hook.handler.type,
    event_id: scope.event_id,
    started_at: timeOf(scope, settled.started),
    duration_ms: duration,
  };
  const outcome: HookOutcome | undefined = summarise(settled.outcomes);
  if (outcome !== undefined) run.outcome = outcome;
  if (failure !== undefined) run.failure = failure;
  if (settled.recheck) run.recheck = true;
  if (rewritten !== undefined) {
    run.input_before = rewritten.before;
    run.input_after = rewritten.after;
  }
  const { counters } = hook;
  counters.runs += 1;
  counters.total_ms += duration;
  if (duration > counters.max_ms) counters.max_ms = duration;
  if (outcome?.action === "deny") counters.denials += 1;
  if (failure !== undefined) counters.failures += 1;
  if (!scope.observers.silent) settled.call.tell({ type: "end", run });
  return run;
}

/** The record of a hook that matched but never began. */
export function skippedRun(scope: FireScope, hook: RegisteredHook, why: "abort" | "cancelled"): HookRun {
  const run = { ...notBegun(scope, hook), skipped: why };
  return why === "cancelled" ? { ...run, failure: CANCELLED } : run;
}

/** The record of a hook whose matcher threw, so that nobody knows whether it should have run. */
export function unmatchedRun(scope: FireScope, hook: RegisteredHook, error: unknown): HookRun {
  const { message } = failureOf(error, undefined);
  return { ...notBegun(scope, hook), failure: { kind: "error", message: `Its matcher failed: ${message}` } };
}

/** The record of an async hook that was started. */
export function startedRun(scope: FireScope, hook: RegisteredHook): HookRun {
  return { ...notBegun(scope, hook), async: true };
}

function notBegun(scope: FireScope, hook: RegisteredHook): HookRun {
  return {
    name: hook.hook.name,
    handler: hook.handler.type,
    event_id: scope.event_id,
    started_at: timeOf(scope, scope.reading),
    duration_ms: 0,
  };
}

const CANCELLED: HookFailure = { kind: "cancelled", message: "The run was cancelled." };
const NO_OUTCOMES: readonly Outcome[] = [];
const NOTHING: Said = { outcomes: NO_OUTCOMES, rewritten: undefined, failure: undefined };

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function permission({ hook }: RegisteredHook): Permission {
  if (hook.observe) return "watch";
  return hook.async ? "add" : "decide";
}

function hear(value: unknown, event: AnyEvent, known: KnownEvent, may: Permission): Said {
  if (value === undefined) return NOTHING;
  const reply = readReply(value, known, event, may);
  if (reply.problem !== undefined) return failed("bad_output", reply.problem, reply.outcomes);
  const rewrite = reply.outcomes.find((outcome) => outcome.type === "rewrite");
  if (rewrite === undefined) return { outcomes: reply.outcomes, rewritten: undefined, failure: undefined };
  const resolved = resolveRewrite(reply.outcomes, event, known);
  if ("problem" in resolved) return failed(resolved.kind, resolved.problem, reply.outcomes);
  return { outcomes: reply.outcomes, rewritten: resolved, failure: undefined };
}

/** A failed hook can still say no: what refuses stays, the rest is dropped. */
function failed(kind: FailureKind, message: string, outcomes: readonly Outcome[]): Said {
  return { outcomes: outcomes.filter(refuses), rewritten: undefined, failure: { kind, message } };
}

/** Waits for the hook, its deadline or the end of the run, whichever comes first. */
function waitFor(
  promise: PromiseLike<unknown>,
  call: HookCall,
  timeoutMs: number,
  scope: FireScope,
): Promise<Answer> {
  const { signal } = scope.options;
  return new Promise((resolve) => {
    const finish = (answer: Answer): void => {
      cancelTimer();
      signal?.removeEventListener("abort", onAbort);
      resolve(answer);
    };
    const stop = (failure: HookFailure): void => {
      call.end(new HookFailureError(failure.kind, failure.message));
      finish({ failure });
    };
    const onAbort = (): void => stop(CANCELLED);
    const cancelTimer = scope.ports.clock.after(timeoutMs, () => {
      stop({ kind: "timeout", message: `No answer within ${timeoutMs / 1000} s.` });
    });
    signal?.addEventListener("abort", onAbort, { once: true });
    promise.then(
      (value) => finish({ value }),
      (error: unknown) => finish({ failure: failureOf(error, signal) }),
    );
    if (signal?.aborted === true) onAbort();
  });
}

function failureOf(error: unknown, signal: AbortSignal | undefined): HookFailure {
  if (error instanceof HookFailureError) return { kind: error.kind, message: error.message };
  if (signal?.aborted === true) return CANCELLED;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: "error", message };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
