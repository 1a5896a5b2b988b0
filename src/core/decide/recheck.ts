import { sameJson } from "../base/json.ts";
import type { KnownEvent } from "../events/known-events.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import { isAborted } from "./cancellation.ts";
import { concludeRun, skippedRun } from "./hook-runs.ts";
import { absorbNotRun, absorbRecheck, hasRefused } from "./merge.ts";
import { subjectOf } from "./rewrite.ts";
import { runHookToEnd } from "./run-hook.ts";
import { fits, hasHadTurn, type Pass, seenAt, takeTurn } from "./run-plan.ts";

/** The gates of another event that have to pass the final input too, as they were when the event came. */
export interface OtherGates {
  readonly known: KnownEvent;
  readonly hooks: readonly RegisteredHook[];
}

/**
 * Asks every gate that has not judged exactly the final input, once. Nothing executes that the last word of every
 * gate did not pass. Skipped after a refusal.
 */
export async function recheck(pass: Pass, original: AnyEvent, others: OtherGates | undefined): Promise<void> {
  const { known } = pass.scope;
  if (!known.row.gate || hasRefused(pass.tally)) return;
  const final = subjectOf(pass.event, known);
  if (others !== undefined && !sameJson(subjectOf(original, known), final)) {
    // PreToolUse gates judged what PermissionRequest was given; they have not seen what became of it.
    const event = Object.freeze({ ...pass.event, hook_event_name: others.known.name });
    for (const hook of others.hooks) await askAgain(pass, hook, event, others.known);
  }
  for (const hook of pass.candidates) {
    const judged = seenAt(pass, pass.plan.indexOf(hook));
    if (judged !== undefined && sameJson(subjectOf(judged, known), final)) continue;
    // A `once` hook that was asked in this event is not done with it; any other has had its turn.
    if (judged === undefined && hasHadTurn(pass.scope, hook, pass.event)) continue;
    await askAgain(pass, hook, pass.event, known);
  }
}

async function askAgain(pass: Pass, hook: RegisteredHook, event: AnyEvent, known: KnownEvent): Promise<void> {
  const { scope, tally } = pass;
  if (
    hasRefused(tally) ||
    hook.hook.observe ||
    hook.hook.async ||
    !hook.hook.recheck ||
    !fits(pass, hook, event)
  )
    return;
  if (isAborted(scope.options.signal)) {
    absorbNotRun(tally, hook, { ...skippedRun(scope, hook, "cancelled"), recheck: true }, event);
    return;
  }
  if (hook.hook.once) takeTurn(scope, hook, event);
  const call = await runHookToEnd({ scope, event, known, recheck: true }, hook);
  absorbRecheck(tally, call, concludeRun(call));
}
