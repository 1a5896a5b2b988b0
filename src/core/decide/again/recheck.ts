import { sameJson } from "../../base/json.ts";
import type { AnyEvent } from "../../events/payloads.ts";
import type { RegisteredHook } from "../../registration/registered-hook.ts";
import type { Route } from "../../registration/registry.ts";
import { addNotRun, addRecheck, hasRefused } from "../collect.ts";
import type { FiredEvent } from "../fired-event.ts";
import type { HookCall, Recheck } from "../hook-call.ts";
import { skippedRun } from "../record.ts";
import { subjectOf } from "../rewrite.ts";
import { runHook } from "../run-hook.ts";
import { fits, hasHadTurn, takeTurn } from "../run-plan.ts";
import { withChoice } from "./choose.ts";

/** A gate that has to judge the final input. */
interface Asked {
  readonly hook: RegisteredHook;
  readonly again: Recheck;
}

/**
 * Asks every gate that has not judged exactly the final input, once, so that nothing runs that a gate has not passed as
 * it is; the gates of `others`, another event, too. Adjacent parallel gates are asked together. Skipped after a refusal.
 */
export async function recheck(
  scope: FiredEvent,
  original: AnyEvent,
  others: Route | undefined,
): Promise<void> {
  const { known, event } = scope;
  if (!known.row.gate || hasRefused(scope)) return;
  const final = subjectOf(event, known);
  const asked: Asked[] = [];
  if (others !== undefined && !sameJson(subjectOf(original, known), final)) {
    // PreToolUse gates judged what PermissionRequest was given; they have not seen the rewritten input.
    const again = {
      event: Object.freeze({ ...event, hook_event_name: others.known.name }),
      known: others.known,
    };
    asked.push(...others.candidates.map((hook) => ({ hook, again })));
  }
  for (const hook of scope.candidates) {
    const judged = seenBy(scope, hook);
    if (judged !== undefined && sameJson(subjectOf(judged, known), final)) continue;
    // A `once` hook that was asked in this event is not done with it; any other has had its turn.
    if (judged === undefined && hasHadTurn(scope, hook, event)) continue;
    asked.push({ hook, again: { event: withChoice(scope, hook), known } });
  }
  for (let at = 0; at < asked.length; ) {
    let end = at + 1;
    if (isParallel(asked[at])) while (isParallel(asked[end])) end += 1;
    await askAgain(scope, asked.slice(at, end));
    at = end;
  }
}

function isParallel(asked: Asked | undefined): boolean {
  return asked?.hook.hook.parallel === true;
}

/** The event as a hook of the plan saw it; `undefined` for a hook that is not in the plan. */
function seenBy({ plan, rewritten, event }: FiredEvent, hook: RegisteredHook): AnyEvent | undefined {
  const at = plan.indexOf(hook);
  return at < 0 ? undefined : (rewritten.find(({ until }) => at < until)?.event ?? event);
}

async function askAgain(scope: FiredEvent, group: readonly Asked[]): Promise<void> {
  const running: (HookCall | Promise<HookCall>)[] = [];
  for (const { hook, again } of group) {
    const { observe, async, mode, recheck: isAsked } = hook.hook;
    const isBound = !observe && !async && mode !== "shadow" && isAsked;
    if (hasRefused(scope) || !isBound || !fits(scope, hook, again.event)) continue;
    if (scope.options.signal?.aborted === true) {
      addNotRun(scope, hook, { ...skippedRun(scope, hook, "cancelled"), recheck: true }, again.event);
      continue;
    }
    takeTurn(scope, hook, again.event);
    running.push(runHook(scope, hook, again));
  }
  for (const call of await Promise.all(running)) addRecheck(call);
}
