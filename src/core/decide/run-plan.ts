import { HookFailureError } from "../events/hook-failure-error.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import { raiseFailures } from "./again/raise-errors.ts";
import { addAnswer, addNotRun } from "./collect.ts";
import { orCancelled } from "./deadline.ts";
import type { HookRun } from "./decision.ts";
import type { FiredEvent } from "./fired-event.ts";
import type { HookCall } from "./hook-call.ts";
import { newCollected } from "./open-event.ts";
import { skippedRun, startedRun, unmatchedRun } from "./record.ts";
import { ParallelRewrites, subjectOf, withSubject } from "./rewrite.ts";
import { readClock, runHook } from "./run-hook.ts";

/** Waits for matchers of these hooks that are still loading, or until the caller cancels. */
export async function waitForMatchers(scope: FiredEvent, hooks: readonly RegisteredHook[]): Promise<void> {
  await orCancelled(Promise.all(hooks.map(({ loading }) => loading)), scope.options.signal);
  // The time a hook has begins when it does.
  readClock(scope);
}

/** The hooks whose matcher fits the event, in order, but for those that only show what they would do. */
export function makePlan(scope: FiredEvent): readonly RegisteredHook[] {
  const { candidates, event } = scope;
  return candidates.filter(
    (hook) => hook.hook.mode !== "shadow" && fits(scope, hook, event) && !hasHadTurn(scope, hook, event),
  );
}

/** Asks a hook's matcher about an event. A matcher that throws is a failure of its hook. */
export function fits(scope: FiredEvent, hook: RegisteredHook, event: AnyEvent): boolean {
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
export function hasHadTurn({ session }: FiredEvent, hook: RegisteredHook, event: AnyEvent): boolean {
  return hook.hook.once && session.once_done?.has(turnKey(hook, event)) === true;
}

/**
 * Marks a `once` hook as done for such events of this session, however its run ends. False when another event that is
 * being decided at the same time came first. Other hooks always have a turn.
 */
export function takeTurn(scope: FiredEvent, hook: RegisteredHook, event: AnyEvent): boolean {
  if (!hook.hook.once) return true;
  if (hasHadTurn(scope, hook, event)) return false;
  scope.session.once_done ??= new Set();
  scope.session.once_done.add(turnKey(hook, event));
  return true;
}

function turnKey(hook: RegisteredHook, event: AnyEvent): string {
  return `${hook.id} ${event.hook_event_name}`;
}

/** The place after the step that begins here: one hook, or a group of parallel hooks. */
export function endOfStep(plan: readonly RegisteredHook[], at: number): number {
  let end = at + 1;
  const first = plan[at]?.hook;
  if (first?.parallel === true && !first.async) while (plan[end]?.hook.parallel === true) end += 1;
  return end;
}

/**
 * Starts the hooks of a step on the event as the hooks before left it. Returns a promise only for hooks that return one,
 * so that synchronous hooks decide an event before `fire` returns: at the exit of a process nothing later runs.
 */
export function startStep(
  scope: FiredEvent,
  at: number,
  end: number,
): HookCall | Promise<HookCall> | Promise<readonly HookCall[]> | undefined {
  const { plan, event } = scope;
  const ended = endedBy(scope);
  if (ended !== undefined) {
    for (const hook of plan.slice(at, end)) addNotRun(scope, hook, skippedRun(scope, hook, ended), event);
    return undefined;
  }
  const hook = plan[at];
  if (hook?.hook.parallel === true && !hook.hook.async)
    return Promise.all(startGroup(scope, plan.slice(at, end)));
  if (hook === undefined || !takeTurn(scope, hook, event)) return undefined;
  if (!hook.hook.async) return runHook(scope, hook);
  startAsyncHook(scope, hook);
  return undefined;
}

/** Adds what the hooks of a step have answered. The hooks after it see the event as they rewrote it. */
export function finishStep(scope: FiredEvent, done: HookCall | readonly HookCall[], end: number): void {
  if ("answer" in done) {
    addAnswer(done);
    if (done.answer.rewritten !== undefined) rewriteTo(scope, done.answer.rewritten.after, end);
  } else finishGroup(scope, done, end);
}

function endedBy({ collected, options }: FiredEvent): HookRun["skipped"] {
  if (collected.abort !== undefined) return "abort";
  if (collected.isShortCircuited) return "short_circuit";
  return options.signal?.aborted === true ? "cancelled" : undefined;
}

/** Gives the hooks of the plan from this place on another event to see. */
export function rewriteTo(scope: FiredEvent, subject: unknown, from: number): void {
  scope.rewritten.push({ until: from, event: scope.event });
  scope.event = withSubject(scope.event, scope.known, subject);
}

/** Starts hooks together on the same event. */
function startGroup(
  scope: FiredEvent,
  group: readonly RegisteredHook[],
): readonly (HookCall | Promise<HookCall>)[] {
  const running: (HookCall | Promise<HookCall>)[] = [];
  for (const hook of group) {
    if (!takeTurn(scope, hook, scope.event)) continue;
    if (hook.hook.async) startAsyncHook(scope, hook);
    else running.push(runHook(scope, hook));
  }
  return running;
}

/** Merges the answers of hooks that ran together in hook order, whichever finished first. */
function finishGroup(scope: FiredEvent, calls: readonly HookCall[], end: number): void {
  const rewrites = new ParallelRewrites(subjectOf(scope.event, scope.known));
  let isRewritten = false;
  for (const call of calls) {
    const { rewritten, outcomes } = call.answer;
    const conflict = rewritten === undefined ? undefined : rewrites.add(rewritten.after);
    if (conflict !== undefined) {
      const message = `It changed ${conflict} differently than another parallel hook.`;
      call.answer = {
        outcomes: outcomes.filter(({ type }) => type !== "rewrite"),
        rewritten: undefined,
        failure: { kind: "conflict", message },
      };
    }
    isRewritten ||= call.answer.rewritten !== undefined;
    addAnswer(call);
  }
  if (isRewritten) rewriteTo(scope, rewrites.result(), end);
}

/** Starts a hook that the event does not wait for. The session's next event that can take its answer gets it. */
function startAsyncHook(scope: FiredEvent, hook: RegisteredHook): void {
  const { engine, collected } = scope;
  const { clock } = engine.ports;
  collected.runs.push(startedRun(scope, hook));
  // A scope of its own: its clock readings must not change those of the hooks that run meanwhile.
  const own: FiredEvent = {
    ...scope,
    deadlines: undefined,
    collected: newCollected(),
    rewritten: [],
  };
  scope.runs += 1; // The number of its run, which its own scope gives it.
  // Not before the caller has gone on: even a hook that works synchronously must not delay the event.
  const begun = new Promise<void>((resolve) => {
    clock.after(0, resolve);
  });
  const running = begun
    .then(() => finishAsyncHook(own, hook))
    .finally(() => engine.background.delete(running));
  engine.background.add(running);
}

async function finishAsyncHook(scope: FiredEvent, hook: RegisteredHook): Promise<void> {
  const { session, collected } = scope;
  readClock(scope);
  addAnswer(await runHook(scope, hook));
  scope.deadlines?.close();
  await raiseFailures(scope);
  const { context, userMessages, abort } = collected;
  if (context.length === 0 && userMessages.length === 0 && abort === undefined) return;
  session.pending = {
    context: [...(session.pending?.context ?? []), ...context],
    messages: [...(session.pending?.messages ?? []), ...userMessages],
    abort: session.pending?.abort ?? abort,
  };
}
