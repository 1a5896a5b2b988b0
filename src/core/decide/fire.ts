import { TenterhookError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { checkEvent, type GivenEvent } from "../events/build-event.ts";
import { type KnownEvent, unknownEvent } from "../events/known-events.ts";
import { toolOf } from "../match/tool-inputs.ts";
import {
  type Ceiling,
  countStop,
  grantHookTurns,
  keepGoingCeiling,
  retryCeiling,
} from "../session/ceilings.ts";
import { settleChoices } from "./again/choose.ts";
import { type OtherGates, recheck } from "./again/recheck.ts";
import { capAllContext } from "./cap-text.ts";
import { orCancelled } from "./deadline.ts";
import type { Decision } from "./decision.ts";
import {
  closeScope,
  type Engine,
  type EventScope,
  type FireOptions,
  limitsOf,
  newCollected,
  openScope,
} from "./event-scope.ts";
import { addPending, decisionOf, raiseError, raiseFailures } from "./merge.ts";
import { makePlan, waitForMatchers } from "./plan.ts";
import { runNext } from "./run-plan.ts";

/**
 * Decides one event: plan, run, recheck, merge.
 *
 * Rejects only when the event itself is invalid; whatever a hook does ends up in the decision.
 */
export async function fire(engine: Engine, input: unknown, options: FireOptions): Promise<Decision> {
  const tasks = engine.registry.runTasks();
  if (tasks !== undefined) await orCancelled(tasks, options.signal);
  const { known, given } = readEvent(engine, input);
  const scope = openScope(engine, known, given, options);
  if (scope === undefined)
    return { action: "continue", context: [], user_messages: [], hook_inputs: [], runs: [] };
  const { collected, event: original, candidates } = scope;
  try {
    addPending(scope);
    collected.hookInputs.push(...(options.hook_inputs ?? []));
    const others = otherGates(engine, known, given);
    const asked = others === undefined ? candidates : [...candidates, ...others.hooks];
    if (asked.some(({ loading }) => loading !== undefined)) await waitForMatchers(scope, asked);
    scope.plan = makePlan(scope);
    for (let at = 0; at < scope.plan.length; ) {
      const next = runNext(scope, at);
      at = next instanceof Promise ? await next : next;
    }
    if (collected.choices.length > 0) await settleChoices(scope);
    if (scope.rewritten.length > 0) await recheck(scope, original, others);
    if (options.no_retry === true) collected.retry = undefined;
    const ceiling = applyCeilings(scope);
    if (ceiling !== undefined) await raiseError(scope, "ceiling", ceiling.message);
    if (collected.failures.length > 0) {
      // A caller that cancels must not wait for Error hooks, but they run nevertheless.
      if (options.signal?.aborted === true && options.late_signal === undefined) raiseInBackground(scope);
      else await raiseFailures(scope);
    }
  } finally {
    scope.deadlines?.close();
  }
  capAllContext(scope);
  closeScope(engine, known, given.session_id);
  const decision = decisionOf(scope);
  if (!engine.decisionObservers.isEmpty) engine.decisionObservers.notify({ event: original, decision });
  return decision;
}

function raiseInBackground(scope: EventScope): void {
  const { engine, collected } = scope;
  const { failures } = collected;
  const raising = raiseFailures({
    ...scope,
    collected: { ...newCollected(), failures: [...failures] },
  }).finally(() => engine.background.delete(raising));
  engine.background.add(raising);
}

/** @throws TenterhookError `invalid_event` or `unknown_event`. */
function readEvent(
  { registry }: Engine,
  input: unknown,
): { readonly known: KnownEvent; readonly given: GivenEvent } {
  if (!isRecord(input)) throw new TenterhookError("invalid_event", "An event must be an object.");
  const name = input.hook_event_name;
  const known = typeof name === "string" ? registry.find(name) : undefined;
  if (known === undefined) throw unknownEvent(name, registry.eventNames());
  checkEvent(input, known);
  return { known, given: input };
}

/** The gates of another event that a rewrite here has to pass. */
function otherGates({ registry }: Engine, { row }: KnownEvent, given: GivenEvent): OtherGates | undefined {
  const known = row.rechecks_with === undefined ? undefined : registry.find(row.rechecks_with);
  return known && { known, hooks: registry.candidates(known.name, toolOf(given)) };
}

/** Drops what hooks want beyond a ceiling, and returns that ceiling. */
function applyCeilings(scope: EventScope): Ceiling | undefined {
  const { collected, agent, known, event, reading, options } = scope;
  let ceiling: Ceiling | undefined;
  if (collected.keepGoing.length === 0) countStop(agent, known);
  else {
    const { given_before } = options.turn_so_far ?? {};
    const wanted = {
      event,
      reason: collected.keepGoing.join("\n"),
      sees_tool_calls: options.sees_tool_calls ?? given_before !== undefined,
      ...(given_before === undefined ? {} : { given_before }),
    };
    ceiling = keepGoingCeiling(agent, wanted, limitsOf(scope), reading);
    if (ceiling !== undefined) collected.keepGoing = [];
  }
  if (collected.retry !== undefined) {
    ceiling = retryCeiling(agent, limitsOf(scope));
    if (ceiling !== undefined) collected.retry = undefined;
  }
  if (known.row.starts_turns === true && collected.hookInputs.length > 0) {
    const grant = grantHookTurns(agent, collected.hookInputs.length, limitsOf(scope), reading);
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
