import { TenterhookError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { buildEvent, checkEvent } from "../events/build-event.ts";
import { unknownEvent } from "../events/known-events.ts";
import { countStop } from "../session/ceilings.ts";
import type { SessionState } from "../session/state.ts";
import type { Collected, Engine, FiredEvent, FireOptions } from "./fired-event.ts";

/**
 * Reads an event: finds the hooks that could match, checks the event, counts it, and completes it for them. Returns
 * `undefined` when nobody listens to it.
 *
 * @throws TenterhookError `invalid_event` or `unknown_event`.
 */
export function openEvent(engine: Engine, input: unknown, options: FireOptions): FiredEvent | undefined {
  const { registry, sessions, ports } = engine;
  if (!isRecord(input)) throw new TenterhookError("invalid_event", "An event must be an object.");
  const name = input.hook_event_name;
  const route = typeof name === "string" ? registry.route(name, input) : undefined;
  if (route === undefined) throw unknownEvent(name, registry.eventNames());
  const { known, candidates } = route;
  checkEvent(input, known);
  const started = ports.clock.monotonic();
  const { session, agent } = sessions.count(input, known.row, started, options.turn_so_far);
  session.seq += 1;
  const occurrence = known.name === "Error" ? countError(session, input.error_type) : undefined;
  const hasListeners =
    candidates.length > 0 ||
    session.pending !== undefined ||
    options.hook_inputs !== undefined ||
    engine.decisionObservers.size > 0;
  if (!hasListeners) {
    if (known.allowed.has("keep_going")) countStop(agent, known);
    if (known.row.inside_run === false) sessions.end(input.session_id);
    return undefined;
  }
  const event_id = ports.newId();
  const wall = ports.clock.now();
  // Where no hook judges the input, it need not be plain data: an observer must not make an event fail.
  const built = candidates.length > 0 ? known : { ...known, judged: undefined };
  const { seq } = session;
  const { in_hook_turn } = agent;
  return {
    engine,
    known,
    session,
    agent,
    options,
    event_id,
    deadlines: undefined,
    wall,
    started,
    reading: started,
    runs: 0,
    candidates,
    plan: [],
    event: buildEvent(input, built, { event_id, seq, time: wall, in_hook_turn, occurrence }),
    rewritten: [],
    collected: newCollected(),
    chosen: undefined,
  };
}

function countError(session: SessionState, type: unknown): number {
  session.errors ??= new Map();
  const occurrence = (session.errors.get(String(type)) ?? 0) + 1;
  session.errors.set(String(type), occurrence);
  return occurrence;
}

/** Nothing collected yet. */
export function newCollected(): Collected {
  return {
    runs: [],
    failures: [],
    context: [],
    userMessages: [],
    hookInputs: [],
    keepGoing: [],
    answers: [],
    timeLimit: undefined,
    retry: undefined,
    ceiling: undefined,
    abort: undefined,
    isShortCircuited: false,
    native: undefined,
    verdicts: [],
    choices: [],
  };
}
