import { applyCeilings } from "./apply-ceilings.ts";
import { type AsyncRuns, startAsyncHook } from "./async-runs.ts";
import { buildEvent, checkEvent } from "./build-event.ts";
import { countEvent, countStop } from "./ceilings.ts";
import type { WallTime } from "./clock.ts";
import type { Decision } from "./decision.ts";
import { TenterhookError } from "./errors.ts";
import { type KnownEvent, unknownEvent } from "./event-catalogue.ts";
import type { EventParts, GivenContext, GivenEvent } from "./event-parts.ts";
import type { AnyEvent } from "./event-types.ts";
import { type FireOptions, type FireScope, onCancel } from "./fire-scope.ts";
import { isRecord } from "./json.ts";
import { type Limits, limitsOver } from "./limits.ts";
import type { Decided, Observers, RunEvent } from "./observers.ts";
import { makePlan, type Pass, rewrittenFields, runPass } from "./pass.ts";
import type { Ports } from "./ports.ts";
import { type Raise, raiseError, raiseFailures } from "./raise.ts";
import { type OtherGates, recheck } from "./recheck.ts";
import type { RegisteredHook } from "./registered-hook.ts";
import type { Registry } from "./registry.ts";
import {
  type AgentState,
  agentState,
  hasPending,
  type SessionState,
  type Sessions,
} from "./session-state.ts";
import { toolOf } from "./subjects.ts";
import { absorbAbort, decisionOf, failuresOf, newTally } from "./tally.ts";

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

/** What deciding needs to know of a hook set. */
export interface Engine {
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly observers: Observers<RunEvent>;
  readonly decisionObservers: Observers<Decided>;
  readonly ports: Ports;
  limits: Limits;
  readonly asyncRuns: AsyncRuns;
  readonly wallTime: WallTime;
}

/**
 * Decides one event: plan, run, recheck, merge.
 *
 * Rejects only when the event itself is wrong; whatever a hook does ends up in the decision.
 */
export async function fire(engine: Engine, input: unknown, options: FireOptions): Promise<Decision> {
  const waiting = engine.registry.hasTasks() ? engine.registry.runTasks() : undefined;
  if (waiting !== undefined) await orCancelled(waiting, options);
  const { known, given } = readEvent(engine, input);
  const pass = begin(engine, known, given, options);
  if (pass === undefined)
    return { action: "continue", context: [], user_messages: [], hook_inputs: [], runs: [] };
  return decidePass(engine, pass, given);
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
  const known = engine.registry.find(parts.name);
  if (known === undefined) throw unknownEvent(parts.name, engine.registry.eventNames());
  if (options.hook_inputs === undefined && countedUnheard(engine, known, parts)) return NOTHING_SAID;
  checkEvent(parts.context, parts.fields, known);
  const pass = begin(engine, known, parts, options);
  return pass === undefined ? NOTHING_SAID : decidePass(engine, pass, parts);
}

async function decidePass(
  engine: Engine,
  pass: Pass,
  { context: { session_id }, fields }: GivenEvent,
): Promise<Decision> {
  const { tally, event: original, scope } = pass;
  const { known, options } = scope;
  const raise: Raise = (error) =>
    fire(engine, { ...identityOf(original), ...error, hook_event_name: "Error" }, raised(options));
  const others = otherGates(engine, known, fields);
  const loading = stillLoading(pass, others);
  if (loading !== undefined) await loading;
  pass.plan = makePlan(pass);
  const running = runPass(pass, (hook, seen) => startAsyncHook(pass, hook, seen, engine.asyncRuns, raise));
  if (running !== undefined) await running;
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

/** Counts an event that nobody looks at; false when somebody does, and then nothing is counted. */
function countedUnheard(engine: Engine, known: KnownEvent, { context, fields }: EventParts): boolean {
  const { registry, sessions, ports, decisionObservers } = engine;
  if (!decisionObservers.silent || registry.candidates(known.name, toolOf(fields)).length > 0) return false;
  const session = sessions.of(context.session_id);
  if (hasPending(session)) return false;
  session.seq += 1;
  const agent = agentOf(session, context);
  countEvent(agent, known.row, { context, fields }, ports.clock.monotonic());
  if (known.name === "Error") countError(session, fields.error_type);
  countStop(agent, known);
  endSession(engine, known, context.session_id);
  return true;
}

/** Counts the event and opens its deciding with every hook that could match; `undefined` when there is nothing to say. */
function begin(engine: Engine, known: KnownEvent, given: GivenEvent, options: FireOptions): Pass | undefined {
  const { registry, ports, observers } = engine;
  const { context, fields } = given;
  const session = engine.sessions.of(context.session_id);
  session.seq += 1;
  const agent = agentOf(session, context);
  const started = ports.clock.monotonic();
  countEvent(agent, known.row, given, started);
  const occurrence = known.name === "Error" ? countError(session, fields.error_type) : undefined;

  const candidates = registry.candidates(known.name, toolOf(fields));
  const heard = hasPending(session) || options.hook_inputs !== undefined;
  if (candidates.length === 0 && !heard && engine.decisionObservers.silent) {
    countStop(agent, known);
    endSession(engine, known, context.session_id);
    return undefined;
  }
  const event_id = ports.newId();
  const wall = engine.wallTime.at(started);
  const { in_hook_turn } = agent;
  const stamp = { event_id, seq: session.seq, time: wall, in_hook_turn, occurrence };
  const event = buildEvent(given, candidates.length === 0 ? watched(known) : known, stamp);
  const reading = started;
  const scope: FireScope = {
    known,
    ports,
    limits: options.limits === undefined ? engine.limits : limitsOver(engine.limits, options.limits),
    observers,
    session,
    agent,
    options,
    event_id,
    wall,
    started,
    reading,
    runs: 0,
    cancellation: undefined,
  };
  const pass: Pass = {
    scope,
    tally: newTally(scope),
    event,
    asked: { scope, event, known, recheck: false },
    candidates,
    plan: candidates,
    next: 0,
    earlier: [],
  };
  takePending(pass);
  if (options.hook_inputs !== undefined) pass.tally.hookInputs.push(...options.hook_inputs);
  return pass;
}

function endSession(engine: Engine, known: KnownEvent, session_id: string): void {
  if (known.row.inside_run === false) engine.sessions.end(session_id);
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

/** Where no hook judges, nothing has to be seen whole: who watches must not make an event fail. */
function watched(known: KnownEvent): KnownEvent {
  return { ...known, judged: undefined };
}

function agentOf(session: SessionState, { agent_id, session_id }: GivenContext): AgentState {
  return agentState(session, typeof agent_id === "string" ? agent_id : session_id);
}

function countError(session: SessionState, type: unknown): number {
  session.errors ??= new Map();
  const key = String(type);
  const occurrence = (session.errors.get(key) ?? 0) + 1;
  session.errors.set(key, occurrence);
  return occurrence;
}

/** What async hooks left for this session goes to the first event that can take it. */
function takePending({ scope, tally }: Pass): void {
  const { session, known } = scope;
  if (session.pending_messages !== undefined) {
    tally.userMessages.push(...session.pending_messages);
    session.pending_messages = undefined;
  }
  if (session.pending_abort !== undefined && known.allowed.has("abort")) {
    absorbAbort(tally, session.pending_abort);
    session.pending_abort = undefined;
  }
  if (session.pending_context !== undefined && known.allowed.has("context")) {
    tally.context.push(...session.pending_context);
    session.pending_context = undefined;
  }
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
