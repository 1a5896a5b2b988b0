import type { RegisteredHook } from "../registration/registered-hook.ts";
import {
  type Ceiling,
  countStop,
  grantHookTurns,
  keepGoingCeiling,
  retryCeiling,
} from "../session/ceilings.ts";
import { settleChoices } from "./again/choose.ts";
import { raiseError, raiseFailures, raiseInBackground } from "./again/raise-errors.ts";
import { recheck } from "./again/recheck.ts";
import { capAllContext } from "./cap-text.ts";
import { addPending } from "./collect.ts";
import { orCancelled } from "./deadline.ts";
import type { Decision } from "./decision.ts";
import type { Engine, FiredEvent, FireOptions } from "./fired-event.ts";
import { decisionOf } from "./merge.ts";
import { notify } from "./observers.ts";
import { newCollected, openEvent } from "./open-event.ts";
import { recordRun, unmatchedRun } from "./record.ts";
import { runHook } from "./run-hook.ts";
import { endOfStep, finishStep, makePlan, startStep, takeTurn, waitForMatchers } from "./run-plan.ts";

/**
 * Decides one event: open, plan, run, recheck, merge.
 *
 * Rejects only when the event itself is invalid; whatever a hook does ends up in the decision.
 */
export async function fire(engine: Engine, input: unknown, options: FireOptions): Promise<Decision> {
  const tasks = engine.registry.runTasks();
  if (tasks !== undefined) await orCancelled(tasks, options.signal);
  const scope = openEvent(engine, input, options);
  if (scope === undefined)
    return { action: "continue", context: [], user_messages: [], hook_inputs: [], runs: [] };
  const { collected, event: original, candidates, known, session } = scope;
  try {
    if (session.pending !== undefined) addPending(scope, session.pending);
    if (options.hook_inputs !== undefined) collected.hookInputs.push(...options.hook_inputs);
    // The gates of another event that a rewrite here has to pass.
    const { rechecks_with } = known.row;
    const others = rechecks_with === undefined ? undefined : engine.registry.route(rechecks_with, original);
    const asked = others === undefined ? candidates : [...candidates, ...others.candidates];
    if (asked.some(({ loading }) => loading !== undefined)) await waitForMatchers(scope, asked);
    scope.plan = makePlan(scope);
    for (let at = 0; at < scope.plan.length; ) {
      const end = endOfStep(scope.plan, at);
      const running = startStep(scope, at, end);
      const done = running instanceof Promise ? await running : running;
      if (done !== undefined) finishStep(scope, done, end);
      at = end;
    }
    if (collected.choices.length > 0) await settleChoices(scope);
    if (scope.rewritten.length > 0) await recheck(scope, original, others);
    if (options.no_retry) dropRetry(scope, options.no_retry);
    const ceiling = applyCeilings(scope);
    collected.ceiling = ceiling;
    if (ceiling !== undefined) await raiseError(scope, "ceiling", ceiling.message);
    if (collected.failures.length > 0) {
      if (options.signal?.aborted === true && options.late_signal === undefined) raiseInBackground(scope);
      else await raiseFailures(scope);
    }
  } finally {
    scope.deadlines?.close();
  }
  if (collected.context.length > 0) capAllContext(scope);
  askShadows(scope);
  if (known.row.inside_run === false) engine.sessions.end(original.session_id);
  const decision = decisionOf(scope);
  if (engine.decisionObservers.size > 0) notify(engine.decisionObservers, { event: original, decision });
  return decision;
}

/** Drops the wish to try again, and tells the user why, once in a session. */
function dropRetry({ collected, session }: FiredEvent, why: true | string): void {
  const hook = collected.runs.find(({ outcome }) => outcome?.retry === true)?.name;
  collected.retry = undefined;
  session.once_done ??= new Set();
  if (why === true || hook === undefined || session.once_done.has(why)) return;
  session.once_done.add(why);
  collected.userMessages.push({ text: why, level: "warning", hook });
}

/** Drops what hooks want beyond a ceiling, and returns that ceiling. */
function applyCeilings(scope: FiredEvent): Ceiling | undefined {
  const { collected, agent, known, event, reading, options, engine } = scope;
  const limits = { ...engine.limits, ...options.limits };
  let ceiling: Ceiling | undefined;
  if (collected.keepGoing.length > 0) {
    const { given_before } = options.turn_so_far ?? {};
    const wanted = {
      event,
      reason: collected.keepGoing.join("\n"),
      sees_tool_calls: options.sees_tool_calls ?? given_before !== undefined,
      given_before,
    };
    ceiling = keepGoingCeiling(agent, wanted, limits, reading);
    if (ceiling !== undefined) collected.keepGoing = [];
  } else if (known.allowed.has("keep_going")) countStop(agent, known);
  // A number of retries for each call is a ceiling of its own.
  if (collected.retry !== undefined && collected.retry.times === undefined) {
    ceiling = retryCeiling(agent, limits);
    if (ceiling !== undefined) collected.retry = undefined;
  }
  if (known.row.starts_turns === true && collected.hookInputs.length > 0) {
    const grant = grantHookTurns(agent, collected.hookInputs.length, limits, reading);
    collected.hookInputs = collected.hookInputs.slice(0, grant.granted);
    ceiling = grant.ceiling;
  }
  if (ceiling !== undefined) {
    collected.userMessages.push({
      text: `A limit stopped the hooks (limits.${ceiling.limit}): ${ceiling.message}`,
      level: "warning",
      hook: "tenterhook",
    });
  }
  return ceiling;
}

/**
 * Asks the hooks that only show what they would do, about the event as the others left it. The decision is made by then
 * and waits for none of them: one that answers later is recorded as an async hook is.
 */
function askShadows(scope: FiredEvent): void {
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
