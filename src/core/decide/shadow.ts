import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { FiredEvent } from "./fired-event.ts";
import { newCollected } from "./open-event.ts";
import { recordRun, unmatchedRun } from "./record.ts";
import { runHook } from "./run-hook.ts";
import { takeTurn } from "./run-plan.ts";

/**
 * Asks the hooks that only show what they would do, about the event as the others left it. The decision is made by then
 * and waits for none of them: one that answers later is recorded as an async hook is.
 */
export function askShadows(scope: FiredEvent): void {
  for (const hook of scope.candidates) if (hook.hook.mode === "shadow") askShadow(scope, hook);
}

function askShadow(scope: FiredEvent, hook: RegisteredHook): void {
  const { engine, collected, event, options } = scope;
  try {
    if (hook.loading !== undefined || hook.test?.(event) === false) return;
  } catch (error) {
    collected.runs.push({ ...unmatchedRun(scope, hook, error), shadow: true });
    return;
  }
  if (options.signal?.aborted === true || !takeTurn(scope, hook, event)) return;
  // A scope of its own: nothing of it reaches the decision, and it may outlive the event.
  const own: FiredEvent = { ...scope, deadlines: undefined, collected: newCollected(), rewritten: [] };
  scope.runs += 1;
  const answered = runHook(own, hook);
  if (!(answered instanceof Promise)) {
    collected.runs.push(recordRun(answered));
    return;
  }
  const running = answered
    .then((call) => {
      own.deadlines?.close();
      recordRun(call, true);
    })
    .finally(() => engine.background.delete(running));
  engine.background.add(running);
}
