import type { HookFailure } from "./decision.ts";
import { errorMessage, errorText, isPromise } from "./error-text.ts";
import { timeOf } from "./fire-scope.ts";
import { hear } from "./hear.ts";
import { type Asked, HookCall, HookCallContext } from "./hook-call.ts";
import { isHookFailure } from "./hook-failure-error.ts";
import { CANCELLED, type Hearing, PendingCall } from "./pending-call.ts";
import type { RegisteredHook } from "./registered-hook.ts";
import { refuses } from "./reply.ts";
import { SAID_NOTHING, type Said, saidFailure } from "./said.ts";

/**
 * Runs one hook on one event. Never throws and never rejects: whatever goes wrong is the run's failure. Answers at
 * once when the hook does, and a run to wait for otherwise. The run is to be concluded (`hook-runs.ts`) exactly once.
 */
export function runHook(asked: Asked, hook: RegisteredHook): HookCall | PendingCall {
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
    if (value !== undefined)
      return isPromise(value) ? new PendingCall(call, value, LATER) : call.settle(hear(value, call));
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
