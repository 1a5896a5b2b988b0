import { HookFailureError } from "../events/hook-failure-error.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import { orCancelled } from "./deadline.ts";
import { type EventScope, readClock } from "./event-scope.ts";
import { addNotRun } from "./merge.ts";
import { unmatchedRun } from "./run-hook.ts";

/** Waits for matchers of these hooks that are still loading, or until the caller cancels. */
export async function waitForMatchers(scope: EventScope, hooks: readonly RegisteredHook[]): Promise<void> {
  await orCancelled(Promise.all(hooks.map(({ loading }) => loading)), scope.options.signal);
  // The time a hook has begins when it does.
  readClock(scope);
}

/** The hooks whose matcher fits the event, in order. */
export function makePlan(scope: EventScope): readonly RegisteredHook[] {
  const { candidates, event } = scope;
  return candidates.filter((hook) => fits(scope, hook, event) && !hasHadTurn(scope, hook, event));
}

/** Asks a hook's matcher about an event. A matcher that throws is a failure of its hook. */
export function fits(scope: EventScope, hook: RegisteredHook, event: AnyEvent): boolean {
  if (hook.test === undefined) return true;
  try {
    if (hook.loading !== undefined)
      throw new HookFailureError("cancelled", "The run was cancelled before its matcher was loaded.");
    return hook.test(event);
  } catch (error) {
    addNotRun(scope, hook, unmatchedRun(scope, hook, error), event);
    return false;
  }
}

/** True for a `once` hook that already ran on such an event of this session. */
export function hasHadTurn({ session }: EventScope, hook: RegisteredHook, event: AnyEvent): boolean {
  return hook.hook.once && session.once_done?.has(turnKey(hook, event)) === true;
}

/**
 * Marks a `once` hook as done for such events of this session, however its run ends. False when another event that is
 * being decided at the same time came first. Always true for other hooks.
 */
export function takeTurn(scope: EventScope, hook: RegisteredHook, event: AnyEvent): boolean {
  if (!hook.hook.once) return true;
  if (hasHadTurn(scope, hook, event)) return false;
  scope.session.once_done ??= new Set();
  scope.session.once_done.add(turnKey(hook, event));
  return true;
}

function turnKey(hook: RegisteredHook, event: AnyEvent): string {
  return `${hook.id} ${event.hook_event_name}`;
}
