import { TenterhookError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { checkEvent } from "../events/build-event.ts";
import type { EventParts, GivenEvent } from "../events/event-parts.ts";
import { type KnownEvent, unknownEvent } from "../events/known-events.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { toolOf } from "../match/tool-inputs.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import { applyCeilings } from "./apply-ceilings.ts";
import type { Decision } from "./decision.ts";
import type { Engine } from "./engine.ts";
import { type FireOptions, onCancel, readClock } from "./event-scope.ts";
import { type RaisedError, raiseError, raiseFailures } from "./failures.ts";
import { decisionOf, failuresOf } from "./merge.ts";
import { countedUnheard, endSession, openPass } from "./plan.ts";
import { type OtherGates, recheck } from "./recheck.ts";
import { makePlan, type Pass, rewrittenFields, runPass } from "./run-plan.ts";

/** The options of an Error event about what went wrong inside the engine: there is nothing to try again. */
function raised({ signal, late_signal }: FireOptions): FireOptions {
  const late = signal?.aborted === true ? late_signal?.() : undefined;
  return { no_retry: true, signal: late };
}

/** What is decided where nobody has a say. */
const NOTHING_SAID: Decision = Object.freeze({
  action: "continue",
  context: Object.freeze([]),
  user_messages: Object.freeze([]),
  hook_inputs: Object.freeze([]),
  runs: Object.freeze([]),
});

/**
 * Decides one event: plan, run, recheck, merge.
 *
 * Rejects only when the event itself is wrong; whatever a hook does ends up in the decision.
 */
export function fire(engine: Engine, input: unknown, options: FireOptions): Promise<Decision> {
  // Not an async function: one that waits for nothing itself costs as much as several hooks.
  try {
    const waiting = beforeEvent(engine, options);
    return waiting === undefined
      ? fireNow(engine, input, options)
      : waiting.then(() => fireNow(engine, input, options));
  } catch (error) {
    return Promise.reject(error);
  }
}

function fireNow(engine: Engine, input: unknown, options: FireOptions): Promise<Decision> {
  const { known, given } = readEvent(engine, input);
  const pass = openPass(engine, known, given, options);
  return pass === undefined
    ? Promise.resolve({ action: "continue", context: [], user_messages: [], hook_inputs: [], runs: [] })
    : decidePass(engine, pass, given);
}

/**
 * The same for an event given in parts, at once and without making it when nobody looks: a loop fires many events that
 * no hook wants.
 *
 * @throws TenterhookError when the event itself is wrong.
 */
export function decideParts(
  engine: Engine,
  parts: EventParts,
  options: FireOptions,
): Decision | Promise<Decision> {
  const waiting = beforeEvent(engine, options);
  return waiting === undefined
    ? decideNow(engine, parts, options)
    : waiting.then(() => decideNow(engine, parts, options));
}

function decideNow(engine: Engine, parts: EventParts, options: FireOptions): Decision | Promise<Decision> {
  const known = engine.registry.find(parts.name);
  if (known === undefined) throw unknownEvent(parts.name, engine.registry.eventNames());
  if (options.hook_inputs === undefined && countedUnheard(engine, known, parts)) return NOTHING_SAID;
  checkEvent(parts.context, parts.fields, known);
  const pass = openPass(engine, known, parts, options);
  return pass === undefined ? NOTHING_SAID : decidePass(engine, pass, parts);
}

async function decidePass(
  engine: Engine,
  pass: Pass,
  { context: { session_id }, fields }: GivenEvent,
): Promise<Decision> {
  const { tally, event: original, scope } = pass;
  const { known, options } = scope;
  const { raise } = engine;
  const others = otherGates(engine, known, fields);
  const loading = stillLoading(pass, others);
  if (loading !== undefined) {
    await loading;
    // The time hooks have begins when they do.
    readClock(scope);
  }
  pass.plan = makePlan(pass);
  for (let running = runPass(pass, engine); running !== undefined; running = runPass(pass, engine))
    await running;
  if (pass.earlier.length > 0) await recheck(pass, original, others);
  if (options.no_retry === true) tally.retry = undefined;
  const ceiling = applyCeilings(pass);
  if (ceiling !== undefined)
    await raiseError(pass, raise, { error_type: "ceiling", error_message: ceiling.message });
  if (tally.failures.length > 0) {
    // Who cancels must not wait for Error hooks, and they must not miss it either.
    if (options.signal?.aborted === true && options.late_signal === undefined)
      engine.asyncRuns.add(raiseFailures({ ...pass, tally: failuresOf(tally) }, raise));
    else await raiseFailures(pass, raise);
  }
  endSession(engine, known, session_id);
  const decision = decisionOf(tally, pass.event, pass.earlier.length > 0 ? rewrittenFields(pass) : undefined);
  if (!engine.decisionObservers.silent) engine.decisionObservers.tell({ event: original, decision });
  return decision;
}

/** Fires an Error event about what is being decided. */
export function raiseEvent(engine: Engine, { event, scope }: Pass, error: RaisedError): Promise<Decision> {
  return fire(engine, { ...identityOf(event), ...error, hook_event_name: "Error" }, raised(scope.options));
}

/** Does what the set wants done before each event; a promise when that takes time. */
function beforeEvent({ registry }: Engine, options: FireOptions): Promise<void> | undefined {
  const waiting = registry.hasTasks() ? registry.runTasks() : undefined;
  return waiting === undefined ? undefined : orCancelled(waiting, options);
}

/** Who cancels must not wait; the gates are closed then anyway. */
async function orCancelled(waiting: Promise<unknown>, { signal }: FireOptions): Promise<void> {
  if (signal === undefined) {
    await waiting;
    return;
  }
  await new Promise((resolve, reject) => {
    const cancelled = (): void => resolve(undefined);
    if (signal.aborted) cancelled();
    signal.addEventListener("abort", cancelled, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", cancelled));
  });
}

function readEvent(
  engine: Engine,
  input: unknown,
): { readonly known: KnownEvent; readonly given: GivenEvent } {
  if (!isRecord(input)) throw new TenterhookError("invalid_event", "An event must be an object.");
  const name = input.hook_event_name;
  const known = typeof name === "string" ? engine.registry.find(name) : undefined;
  if (known === undefined) throw unknownEvent(name, engine.registry.eventNames());
  checkEvent(input, input, known);
  return { known, given: { context: input, fields: input } };
}

/** The gates of another event that a rewrite here has to pass. */
function otherGates(
  { registry }: Engine,
  { row }: KnownEvent,
  fields: GivenEvent["fields"],
): OtherGates | undefined {
  const known = row.rechecks_with === undefined ? undefined : registry.find(row.rechecks_with);
  return known && { known, hooks: registry.candidates(known.name, toolOf(fields)) };
}

/** Waits for matchers that are not loaded yet, unless the caller cancels. */
function stillLoading(
  { scope, candidates }: Pass,
  others: OtherGates | undefined,
): Promise<unknown> | undefined {
  const hooks = others === undefined ? candidates : [...candidates, ...others.hooks];
  if (!areLoading(hooks)) return undefined;
  const loading = hooks.map((hook) => hook.loading);
  return new Promise((resolve) => {
    const forget = onCancel(scope, () => resolve(undefined));
    Promise.all(loading).then(resolve).finally(forget);
  });
}

function areLoading(hooks: readonly RegisteredHook[]): boolean {
  for (const hook of hooks) if (hook.loading !== undefined) return true;
  return false;
}

/** The fields that say whose event it is, for an Error event about it. */
function identityOf(event: AnyEvent): Record<string, unknown> {
  const { session_id, cwd, agent_id, agent_type, host, parent_agent_id, turn_id, transcript_path } = event;
  const { tool_use_id } = event;
  const tool = toolOf(event);
  return {
    session_id,
    cwd,
    agent_id,
    agent_type,
    host,
    parent_agent_id,
    turn_id,
    transcript_path,
    ...(tool === undefined ? {} : { tool }),
    ...(tool_use_id === undefined ? {} : { tool_use_id }),
  };
}
