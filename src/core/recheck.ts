import type { KnownEvent } from "./event-catalogue.ts";
import type { AnyEvent } from "./event-types.ts";
import { concludeRun, skippedRun } from "./hook-runs.ts";
import { sameJson } from "./json.ts";
import { fits, hasHadTurn, type Pass, takeTurn } from "./pass.ts";
import type { RegisteredHook } from "./registered-hook.ts";
import { subjectOf } from "./rewrite.ts";
import { runHook } from "./run-hook.ts";
import { toolOf } from "./subjects.ts";

/** Where the plan for the final input comes from. */
export interface Planner {
  candidates(event: string, tool: string | undefined): readonly RegisteredHook[];
  find(event: string): KnownEvent | undefined;
}

/**
 * Asks every gate that has not judged exactly the final input, once. Nothing executes that the last word of every
 * gate did not pass. Skipped after a refusal.
 */
export async function recheck(pass: Pass, original: AnyEvent, planner: Planner): Promise<void> {
  const { row, name } = pass.scope.known;
  if (!row.gate || pass.tally.refused) return;
  const final = subjectOf(pass.event, pass.scope.known);
  if (!sameJson(subjectOf(original, pass.scope.known), final)) {
    // PreToolUse gates judged what PermissionRequest was given; they have not seen what became of it.
    if (row.rechecks_with !== undefined) await askAgain(pass, row.rechecks_with, planner, final);
  }
  await askAgain(pass, name, planner, final);
}

async function askAgain(pass: Pass, name: string, planner: Planner, final: unknown): Promise<void> {
  const known = planner.find(name);
  if (known === undefined) return;
  const own = known === pass.scope.known;
  const event = own ? pass.event : Object.freeze({ ...pass.event, hook_event_name: name });
  for (const hook of planner.candidates(name, toolOf(event))) {
    if (pass.tally.refused) return;
    if (hook.hook.observe || hook.hook.async || !hook.hook.recheck) continue;
    const judged = own ? pass.judged[pass.plan.indexOf(hook)] : undefined;
    if (judged !== undefined && sameJson(subjectOf(judged, known), final)) continue;
    if (hook.loading !== undefined) await hook.loading;
    if (!fits(pass, hook, event)) continue;
    if (judged === undefined) {
      if (hasHadTurn(pass.scope, hook, event)) continue;
      if (hook.hook.once) takeTurn(pass.scope, hook, event);
    }
    if (pass.scope.options.signal?.aborted === true) {
      pass.tally.absorbSkipped(hook, skippedRun(pass.scope, hook, "cancelled"));
      continue;
    }
    const running = runHook(pass.scope, hook, event, known, true);
    const settled = running instanceof Promise ? await running : running;
    pass.tally.absorbRecheck(settled, concludeRun(settled));
  }
}
