import { sameJson } from "../base/json.ts";
import type { KnownEvent } from "../events/known-events.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { EventScope } from "./event-scope.ts";
import type { Recheck } from "./hook-call.ts";
import { addNotRun, addRecheck, hasRefused } from "./merge.ts";
import { fits, hasHadTurn, takeTurn } from "./plan.ts";
import { subjectOf } from "./rewrite.ts";
import { runHook, skippedRun } from "./run-hook.ts";

/** The gates of another event that have to pass the final input too, as they were when the event came. */
export interface OtherGates {
  readonly known: KnownEvent;
  readonly hooks: readonly RegisteredHook[];
}

/**
 * Asks every gate that has not judged exactly the final input, once, so that nothing runs that a gate has not passed as
 * it is. Skipped after a refusal.
 */
export async function recheck(
  scope: EventScope,
  original: AnyEvent,
  others: OtherGates | undefined,
): Promise<void> {
  const { known, event } = scope;
  if (!known.row.gate || hasRefused(scope)) return;
  const final = subjectOf(event, known);
  if (others !== undefined && !sameJson(subjectOf(original, known), final)) {
    // PreToolUse gates judged what PermissionRequest was given; they have not seen the rewritten input.
    const asked = Object.freeze({ ...event, hook_event_name: others.known.name });
    for (const hook of others.hooks) await askAgain(scope, hook, { event: asked, known: others.known });
  }
  for (const hook of scope.candidates) {
    const judged = seenBy(scope, hook);
    if (judged !== undefined && sameJson(subjectOf(judged, known), final)) continue;
    // A `once` hook that was asked in this event is not done with it; any other has had its turn.
    if (judged === undefined && hasHadTurn(scope, hook, event)) continue;
    await askAgain(scope, hook, { event, known });
  }
}

/** The event as a hook of the plan saw it; `undefined` for a hook that is not in the plan. */
function seenBy({ plan, rewritten, event }: EventScope, hook: RegisteredHook): AnyEvent | undefined {
  const at = plan.indexOf(hook);
  return at < 0 ? undefined : (rewritten.find(({ until }) => at < until)?.event ?? event);
}

async function askAgain(scope: EventScope, hook: RegisteredHook, again: Recheck): Promise<void> {
  const { observe, async, recheck: isAsked } = hook.hook;
  if (hasRefused(scope) || observe || async || !isAsked || !fits(scope, hook, again.event)) return;
  if (scope.options.signal?.aborted === true) {
    addNotRun(scope, hook, { ...skippedRun(scope, hook, "cancelled"), recheck: true }, again.event);
    return;
  }
  takeTurn(scope, hook, again.event);
  addRecheck(await runHook(scope, hook, again));
}
