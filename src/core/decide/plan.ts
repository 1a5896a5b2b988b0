import { buildEvent } from "../events/build-event.ts";
import type { GivenContext, GivenEvent } from "../events/event-parts.ts";
import type { KnownEvent } from "../events/known-events.ts";
import { toolOf } from "../match/tool-inputs.ts";
import { limitsOver } from "../registration/limits.ts";
import { countEvent, countStop } from "../session/ceilings.ts";
import { type AgentState, agentState, hasPending, type SessionState } from "../session/state.ts";
import type { Engine } from "./engine.ts";
import type { FireOptions, FireScope } from "./event-scope.ts";
import { absorbAbort, newTally } from "./merge.ts";
import type { Pass } from "./run-plan.ts";

/** Counts an event that nobody looks at; false when somebody does, and then nothing is counted. */
export function countedUnheard(engine: Engine, known: KnownEvent, { context, fields }: GivenEvent): boolean {
  const { registry, sessions, ports, decisionObservers } = engine;
  if (!decisionObservers.silent) return false;
  if (registry.hears(known.name) && registry.candidates(known.name, toolOf(fields)).length > 0) return false;
  const session = sessions.of(context.session_id);
  if (hasPending(session)) return false;
  session.seq += 1;
  const agent = agentOf(session, context);
  countEvent(agent, known.row, { context, fields }, ports.clock);
  if (known.name === "Error") countError(session, fields.error_type);
  countStop(agent, known);
  endSession(engine, known, context.session_id);
  return true;
}

/** Counts the event and opens its deciding with every hook that could match; `undefined` when there is nothing to say. */
export function openPass(
  engine: Engine,
  known: KnownEvent,
  given: GivenEvent,
  options: FireOptions,
): Pass | undefined {
  const { registry, ports, observers, lookout } = engine;
  const { context, fields } = given;
  const session = engine.sessions.of(context.session_id);
  session.seq += 1;
  const agent = agentOf(session, context);
  const started = ports.clock.monotonic();
  countEvent(agent, known.row, given, ports.clock);
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
    lookout,
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

/** Forgets a session with its last event. */
export function endSession(engine: Engine, known: KnownEvent, session_id: string): void {
  if (known.row.inside_run === false) engine.sessions.end(session_id);
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
