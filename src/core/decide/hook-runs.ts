import { ignore } from "../base/error-text.ts";
import { closeHook, type RegisteredHook } from "../registration/registered-hook.ts";
import type { HookRun } from "./decision.ts";
import { type FireScope, timeOf } from "./event-scope.ts";
import { type HookCall, tellOfRun } from "./hook-call.ts";
import { CANCELLED } from "./pending-call.ts";
import { failureOf } from "./run-hook.ts";
import { summarise } from "./summarise.ts";

/** Writes the record of a run, counts it and tells observers that it ended. Call it exactly once for each run. */
export function concludeRun(call: HookCall): HookRun {
  const { asked, hook } = call;
  const { scope } = asked;
  const { outcomes, failure, rewritten } = call.said;
  const run: { -readonly [Key in keyof HookRun]: HookRun[Key] } = {
    name: hook.hook.name,
    handler: hook.handler.type,
    event_id: scope.event_id,
    started_at: timeOf(scope, call.started),
    duration_ms: call.duration,
  };
  const outcome = summarise(outcomes);
  if (outcome !== undefined) run.outcome = outcome;
  if (call.facts !== undefined) Object.assign(run, call.facts);
  if (failure !== undefined) run.failure = failure;
  if (asked.recheck) run.recheck = true;
  if (hook.hook.async) run.async = true;
  if (rewritten !== undefined) {
    run.input_before = rewritten.before;
    run.input_after = rewritten.after;
  }
  const { counters } = hook;
  counters.runs += 1;
  counters.total_ms += call.duration;
  if (call.duration > counters.max_ms) counters.max_ms = call.duration;
  if (outcome?.action === "deny") counters.denials += 1;
  if (failure !== undefined) counters.failures += 1;
  if (!scope.observers.silent) tellOfRun(call, { type: "end", run });
  // What it kept alive was ended when it was taken out; this run may have started it anew.
  if (hook.removed) ignore(closeHook(hook));
  return run;
}

/** The record of a hook that matched but never began, because the run ended before its turn. */
export function skippedRun(scope: FireScope, hook: RegisteredHook, why: "abort" | "cancelled"): HookRun {
  const run = { ...notBegun(scope, hook), skipped: why };
  return why === "cancelled" ? { ...run, failure: CANCELLED } : run;
}

/** The record of a hook whose matcher threw, so that nobody knows whether it should have run. */
export function unmatchedRun(scope: FireScope, hook: RegisteredHook, error: unknown): HookRun {
  const { kind, message } = failureOf(error, undefined);
  return { ...notBegun(scope, hook), failure: { kind, message: `Its matcher failed: ${message}` } };
}

/** The record of an async hook that was started; observers hear how it ended. */
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
