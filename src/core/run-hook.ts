import type { HookFailure } from "./decision.ts";
import type { KnownEvent } from "./event-catalogue.ts";
import type { AnyEvent } from "./event-types.ts";
import { type FireScope, readClock, timeOf } from "./fire-scope.ts";
import { hear, SAID_NOTHING, type Said, saidFailure } from "./hear.ts";
import { HookCall } from "./hook-call.ts";
import { HookFailureError } from "./hook-failure-error.ts";
import type { RegisteredHook } from "./registered-hook.ts";

/** How one run of a hook ended. It is to be concluded (`hook-runs.ts`) exactly once. */
export interface Settled extends Said {
  readonly call: HookCall;
  /** On the monotonic clock. */
  readonly ended: number;
}

/** What came out of the handler: a value, or the reason why there is none. */
type Answer = { readonly value: unknown } | { readonly failure: HookFailure };

/** The failure of a hook whose run was cancelled. */
export const CANCELLED: HookFailure = { kind: "cancelled", message: "The run was cancelled." };

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
  const call = new HookCall(scope, hook, event, known, recheck);
  if (!scope.observers.silent) {
    call.tell({
      type: "begin",
      handler: hook.handler.type,
      started_at: timeOf(scope, call.started),
      recheck,
    });
  }
  let value: unknown;
  try {
    value = hook.handler.run(event, call);
    // In a function of its own: a closure here would cost every hook, also those that answer at once.
    if (isPromise(value)) return settleLater(call, value);
  } catch (error) {
    return settle(call, saidFailure(failureOf(error, scope.options.signal)));
  }
  return settle(call, value === undefined ? SAID_NOTHING : hear(value, call));
}

async function settleLater(call: HookCall, promise: PromiseLike<unknown>): Promise<Settled> {
  const answer = await waitFor(promise, call);
  return settle(call, "value" in answer ? hear(answer.value, call) : saidFailure(answer.failure));
}

function settle(call: HookCall, { outcomes, rewritten, failure }: Said): Settled {
  call.close();
  return { call, ended: readClock(call.scope), outcomes, rewritten, failure };
}

/** Waits for the hook, its deadline or the end of the run, whichever comes first. */
function waitFor(promise: PromiseLike<unknown>, call: HookCall): Promise<Answer> {
  const { timeoutMs } = call.hook;
  const { signal } = call.scope.options;
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
    const cancelTimer = call.scope.ports.clock.after(timeoutMs, () => {
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

/** The failure an exception stands for. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): HookFailure {
  if (error instanceof HookFailureError) return { kind: error.kind, message: error.message };
  if (signal?.aborted === true) return CANCELLED;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: "error", message };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
