import { isoTime } from "../base/clock.ts";
import { ignore } from "../base/error-text.ts";
import { readOptions } from "../contracts/questions.ts";
import type { Outcome } from "../events/outcomes.ts";
import { closeHook } from "../registration/prepare-hook.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { HookOutcome, HookRun } from "./decision.ts";
import { CANCELLED, failureOf } from "./failures.ts";
import type { FiredEvent } from "./fired-event.ts";
import { type HookCall, notifyOfRun } from "./hook-call.ts";
import { ACTION_RANK, mergedKeys } from "./merge.ts";

/** Writes the record of a run, counts the run and notifies observers of its end. `later`: its event is decided. */
export function recordRun(call: HookCall, later = false): HookRun {
  const { scope, hook, facts, duration } = call;
  const { outcomes, failure, rewritten } = call.answer;
  const outcome = summarise(outcomes);
  const run: { -readonly [Key in keyof HookRun]: HookRun[Key] } = emptyRun(scope, hook, call.started);
  run.duration_ms = duration;
  if (facts !== undefined) {
    const { would, ...others } = facts;
    Object.assign(run, others);
    if (would !== undefined)
      run.would = { action: "continue", ...summarise([would.outcome]), rule: would.rule };
  }
  const isShadow = hook.hook.mode === "shadow";
  if (isShadow) run.shadow = true;
  if (outcome !== undefined) run[isShadow ? "would" : "outcome"] = outcome;
  if (failure !== undefined) run.failure = failure;
  if (call.recheck) run.recheck = true;
  if (hook.hook.async || later) run.async = true;
  if (rewritten !== undefined) {
    run.input_before = rewritten.before;
    run.input_after = rewritten.after;
  }
  const { counters } = hook;
  counters.runs += 1;
  counters.total_ms += duration;
  counters.max_ms = Math.max(counters.max_ms, duration);
  if (run.outcome?.action === "deny") counters.denials += 1;
  if (failure !== undefined) counters.failures += 1;
  if (scope.engine.observers.size > 0) notifyOfRun(call, { type: "end", run });
  // Removing the hook has ended its processes; this run may have started them again.
  if (hook.removed) ignore(closeHook(hook));
  return run;
}

/** The record of a hook that matched but never began, because the run ended before its turn. */
export function skippedRun(
  scope: FiredEvent,
  hook: RegisteredHook,
  why: NonNullable<HookRun["skipped"]>,
): HookRun {
  const run = { ...emptyRun(scope, hook), skipped: why };
  return why === "cancelled" ? { ...run, failure: CANCELLED } : run;
}

/** The record of a hook whose matcher threw, so that nobody knows whether it should have run. */
export function unmatchedRun(scope: FiredEvent, hook: RegisteredHook, error: unknown): HookRun {
  const { kind, message } = failureOf(error, undefined);
  return { ...emptyRun(scope, hook), failure: { kind, message: `Its matcher failed: ${message}` } };
}

/** The record of an async hook that was started; observers learn how it ended. */
export function startedRun(scope: FiredEvent, hook: RegisteredHook): HookRun {
  return { ...emptyRun(scope, hook), async: true };
}

function emptyRun(scope: FiredEvent, hook: RegisteredHook, started = scope.reading): HookRun {
  return {
    name: hook.hook.name,
    handler: hook.handler.type,
    event_id: scope.event_id,
    started_at: timeOf(scope, started),
    duration_ms: 0,
  };
}

/** The ISO time of a reading of the monotonic clock. */
export function timeOf({ wall, started }: FiredEvent, reading: number): string {
  return isoTime(wall + (reading - started));
}

/** What one hook answered, as plain data for its record; `undefined` for nothing. */
function summarise(outcomes: readonly Outcome[]): HookOutcome | undefined {
  if (outcomes.length === 0) return undefined;
  const summary: { -readonly [Key in keyof HookOutcome]: HookOutcome[Key] } = { action: "continue" };
  for (const outcome of outcomes) {
    switch (outcome.type) {
      case "allow":
      case "ask":
      case "deny":
        if (ACTION_RANK[outcome.type] <= ACTION_RANK[summary.action]) break;
        summary.action = outcome.type;
        if (outcome.reason === undefined) delete summary.reason;
        else summary.reason = outcome.reason;
        if (outcome.type === "ask" && outcome.options !== undefined)
          summary.options = readOptions(outcome.options).map(({ label }) => label);
        else delete summary.options;
        break;
      case "rewrite":
        summary.rewrite = true;
        break;
      case "context":
        summary.context = [...(summary.context ?? []), outcome.text];
        break;
      case "user_message":
        summary.user_messages = [...(summary.user_messages ?? []), outcome.text];
        break;
      case "keep_going":
        summary.keep_going = outcome.reason;
        break;
      case "answer":
        summary.answer = outcome.answer;
        break;
      case "time_limit":
        summary.time_limit = outcome.seconds;
        break;
      case "retry":
        summary.retry = true;
        break;
      case "hook_input":
        summary.hook_inputs = [...(summary.hook_inputs ?? []), outcome.text];
        break;
      case "abort":
        summary.abort = true;
        if (outcome.reason !== undefined) summary.reason ??= outcome.reason;
        break;
      case "native":
        summary.native = mergedKeys(summary.native ?? {}, outcome.reply);
        break;
      default:
        outcome satisfies never;
    }
  }
  return summary;
}
