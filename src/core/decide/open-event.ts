import { isoTime } from "../base/clock.ts";
import { errorMessage } from "../base/error-text.ts";
import { TenterhookError } from "../base/errors.ts";
import { frozenCopy, frozenJson, isRecord } from "../base/json.ts";
import type { FieldKind } from "../events/event-row.ts";
import { type KnownEvent, unknownEvent } from "../events/known-events.ts";
import type { AnyEvent, CommonFields, GivenEvent } from "../events/payloads.ts";
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

type AgentFields = Pick<CommonFields, "agent_id" | "agent_type">;

/** What the engine adds to an event. */
interface Stamp {
  readonly event_id: string;
  readonly seq: number;
  readonly time: number;
  /** True in a turn that a hook started. */
  readonly in_hook_turn?: boolean;
  /** Of an Error event: which of its type it is. */
  readonly occurrence?: number | undefined;
}

/** What the engine writes itself, whatever the caller gave; and the one name that is not a plain field. */
const STAMPED: ReadonlySet<string> = new Set([
  "hook_event_name",
  "event_id",
  "seq",
  "timestamp",
  "session_id",
  "agent_id",
  "agent_type",
  "cwd",
  "host",
  "__proto__",
]);

/**
 * Checks the fields an event must have.
 *
 * @throws TenterhookError `invalid_event` that names the field.
 */
function checkEvent(
  given: Readonly<Record<string, unknown>>,
  known: KnownEvent,
): asserts given is GivenEvent {
  for (const field of ["session_id", "cwd"])
    if (typeof given[field] !== "string" || given[field] === "")
      throw missing(known, field, "text", given[field]);
  for (const { field, kind } of known.required) {
    const [, fits] = KINDS[kind];
    if (!fits(given[field])) throw missing(known, field, kind, given[field]);
  }
}

/**
 * The event hooks see: complete, frozen all the way down, sharing nothing with the caller that the caller could
 * change.
 */
function buildEvent(given: GivenEvent, known: KnownEvent, stamp: Stamp): AnyEvent {
  const event: { -readonly [Key in keyof AnyEvent]: AnyEvent[Key] } = {
    hook_event_name: known.name,
    event_id: stamp.event_id,
    seq: stamp.seq,
    timestamp: isoTime(stamp.time),
    session_id: given.session_id,
    ...agentOf(given),
    cwd: given.cwd,
    host: typeof given.host === "string" ? given.host : OWN_HOST,
  };
  for (const key of Object.keys(given)) {
    if (STAMPED.has(key)) continue;
    const value = key === known.judged ? judgedCopy(given[key], known) : frozenCopy(given[key]);
    if (value !== undefined) event[key] = value;
  }
  if (stamp.in_hook_turn === true) event.is_hook_input_turn = true;
  if (stamp.occurrence !== undefined) event.occurrence = stamp.occurrence;
  for (const [key, value] of Object.entries(known.row.defaults ?? {})) event[key] ??= value;
  return Object.freeze(event);
}

const OWN_HOST = "tenterhook";

/** Scripts take an event with an agent_id for one of a subagent, so a foreign agent's event gets none of ours. */
function agentOf({ agent_id, agent_type, session_id, host }: GivenEvent): AgentFields {
  const isOwn = typeof host !== "string" || host === OWN_HOST;
  const id = typeof agent_id === "string" ? agent_id : isOwn ? session_id : undefined;
  const type = typeof agent_type === "string" ? agent_type : isOwn ? "main" : undefined;
  if (id === undefined) return type === undefined ? {} : { agent_type: type };
  return type === undefined ? { agent_id: id } : { agent_id: id, agent_type: type };
}

/** What a gate decides about must be seen whole: a part that hooks can't see would pass unseen. */
function judgedCopy(value: unknown, { name, judged }: KnownEvent): unknown {
  try {
    return frozenJson(value);
  } catch (cause) {
    throw new TenterhookError(
      "invalid_event",
      `${name}: ${judged} can't be judged: ${errorMessage(cause)}.`,
      { cause },
    );
  }
}

const KINDS: Readonly<Record<FieldKind, readonly [must: string, fits: (value: unknown) => boolean]>> = {
  text: ["a string", (value) => typeof value === "string"],
  object: ["an object", isRecord],
  list: ["a list", Array.isArray],
  anything: ["given", (value) => value !== undefined],
};

function missing(known: KnownEvent, field: string, kind: FieldKind, value: unknown): TenterhookError {
  const problem = value === undefined ? "is missing" : `must be ${KINDS[kind][0]}`;
  return new TenterhookError("invalid_event", `${known.name}: ${field} ${problem}.`);
}
