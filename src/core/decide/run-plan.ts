import type { RegisteredHook } from "../registration/registered-hook.ts";
import { type EventScope, newCollected, readClock } from "./event-scope.ts";
import type { HookCall } from "./hook-call.ts";
import { addAnswer, addNotRun, raiseFailures } from "./merge.ts";
import { takeTurn } from "./plan.ts";
import { ParallelRewrites, subjectOf, withSubject } from "./rewrite.ts";
import { runHook, skippedRun, startedRun } from "./run-hook.ts";

/**
 * Runs the hooks of the plan in order, each on the event as the ones before it left it. Parallel hooks next to each
 * other run together. Waits only for hooks that return a promise.
 */
export async function runPlan(scope: EventScope): Promise<void> {
  const { plan } = scope;
  for (let at = 0; at < plan.length; at += 1) {
    const hook = plan[at];
    if (hook === undefined) return;
    const ended = endedBy(scope);
    if (ended !== undefined) {
      addNotRun(scope, hook, skippedRun(scope, hook, ended), scope.event);
    } else if (hook.hook.parallel && !hook.hook.async) {
      const group = parallelGroup(plan, at);
      at += group.length - 1;
      await runGroup(scope, group, at + 1);
    } else if (!takeTurn(scope, hook, scope.event)) {
    } else if (hook.hook.async) {
      startAsyncHook(scope, hook);
    } else {
      const running = runHook(scope, hook);
      const call = running instanceof Promise ? await running : running;
      addAnswer(call);
      if (call.answer.rewritten !== undefined) rewriteTo(scope, call.answer.rewritten.after, at + 1);
    }
  }
}

function endedBy({ collected, options }: EventScope): "abort" | "cancelled" | undefined {
  if (collected.abort !== undefined) return "abort";
  return options.signal?.aborted === true ? "cancelled" : undefined;
}

/** Gives the hooks of the plan from this place on another event to see. */
function rewriteTo(scope: EventScope, subject: unknown, from: number): void {
  scope.rewritten.push({ until: from, event: scope.event });
  scope.event = withSubject(scope.event, scope.known, subject);
}

function parallelGroup(plan: readonly RegisteredHook[], start: number): readonly RegisteredHook[] {
  let end = start + 1;
  while (plan[end]?.hook.parallel === true && plan[end]?.hook.async === false) end += 1;
  return plan.slice(start, end);
}

/** Runs hooks together on the same event and merges their answers in hook order, whichever finished first. */
async function runGroup(scope: EventScope, group: readonly RegisteredHook[], next: number): Promise<void> {
  const { event, known } = scope;
  const running: (HookCall | Promise<HookCall>)[] = [];
  for (const hook of group) if (takeTurn(scope, hook, event)) running.push(runHook(scope, hook));
  const rewrites = new ParallelRewrites(subjectOf(event, known));
  let isRewritten = false;
  for (const call of await Promise.all(running)) {
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
  if (isRewritten) rewriteTo(scope, rewrites.result(), next);
}

/** Starts a hook that the event does not wait for. The session's next event that can take its answer gets it. */
function startAsyncHook(scope: EventScope, hook: RegisteredHook): void {
  const { engine, collected } = scope;
  const { clock } = engine.ports;
  collected.runs.push(startedRun(scope, hook));
  // A scope of its own: its clock readings must not change those of the hooks that run meanwhile.
  const own: EventScope = {
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

async function finishAsyncHook(scope: EventScope, hook: RegisteredHook): Promise<void> {
  const { session, collected } = scope;
  readClock(scope);
  addAnswer(await runHook(scope, hook));
  scope.deadlines?.close();
  await raiseFailures(scope);
  session.pending_abort ??= collected.abort;
  if (collected.context.length > 0)
    session.pending_context = [...(session.pending_context ?? []), ...collected.context];
  if (collected.userMessages.length > 0)
    session.pending_messages = [...(session.pending_messages ?? []), ...collected.userMessages];
}
