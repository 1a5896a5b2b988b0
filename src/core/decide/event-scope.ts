import { isoTime } from "../base/clock.ts";
import type { DecisionOption } from "../contracts/monitor.ts";
import { buildEvent, type GivenEvent } from "../events/build-event.ts";
import type { Action } from "../events/effects.ts";
import type { KnownEvent } from "../events/known-events.ts";
import type { ContextItem, UserMessage } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { toolOf } from "../match/tool-inputs.ts";
import type { AgentView, Ports } from "../ports.ts";
import type { Limits } from "../registration/limits.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { Registry } from "../registration/registry.ts";
import { countEvent, countStop, countTurnSoFar, type TurnSoFar } from "../session/ceilings.ts";
import {
  type AgentState,
  agentState,
  hasPending,
  type SessionState,
  type Sessions,
} from "../session/state.ts";
import type { Deadlines } from "./deadline.ts";
import type { Decision, HookFailure, HookInput, HookRun } from "./decision.ts";
import type { Decided, Observers, RunEvent } from "./observers.ts";

/** What a hook asks a human who can choose. */
export interface AskedChoice {
  /** The hook that asks. */
  readonly hook: string;
  readonly reason?: string;
  readonly options: readonly DecisionOption[];
  /** The event as hooks have left it. */
  readonly event: AnyEvent;
}

/**
 * Has a human choose: the label of an option, a refusal with what is to be done instead (perhaps empty), or nothing when
 * nobody answers.
 */
export type Choose = (
  asked: AskedChoice,
) =>
  | string
  | { readonly refused: string }
  | undefined
  | Promise<string | { readonly refused: string } | undefined>;

/** What a caller gives with the event. */
export interface FireOptions {
  /** Offers the options of a hook that asks with some. Without it such a hook asks for a yes or no. */
  readonly choose?: Choose | undefined;
  /** Ends the running hooks; gates that have not answered by then are closed. */
  readonly signal?: AbortSignal | undefined;
  /** After a cancel, the event waits for its Error hooks until this signal. Without it, they run in the background. */
  readonly late_signal?: (() => AbortSignal) | undefined;
  /** True when there is nothing that hooks could have tried again. */
  readonly no_retry?: boolean;
  /** True when the caller fires PreToolUse for every tool call, so that no event means no call. */
  readonly sees_tool_calls?: boolean | undefined;
  /** What other processes have seen of this turn. */
  readonly turn_so_far?: TurnSoFar | undefined;
  /** The map hooks share; by default the engine has one for each agent of a session. */
  readonly values?: Map<string, unknown> | undefined;
  readonly agent?: AgentView | undefined;
  readonly tool?: unknown;
  /** What a foreign agent sent, as text, for hooks that read it instead of our event. It is not recorded. */
  readonly payload?: string | undefined;
  /** Ceilings and caps that replace those of the set for this event. */
  readonly limits?: Partial<Limits> | undefined;
  /** Texts that join or start a turn and do not come from a hook of the set; the same ceiling applies to them. */
  readonly hook_inputs?: readonly HookInput[];
}

/** The parts of a hook set that deciding an event needs. */
export interface Engine {
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly observers: Observers<RunEvent>;
  readonly decisionObservers: Observers<Decided>;
  readonly ports: Ports;
  limits: Limits;
  /** The async hooks that are still running, and Error events nobody waits for. */
  readonly background: Set<Promise<void>>;
  /** Decides another event: the Error event about a failure. */
  readonly fire: (event: unknown, options: FireOptions) => Promise<Decision>;
}

/** A hook's verdict and the input it is about. */
export interface Verdict {
  readonly action: Exclude<Action, "continue">;
  readonly reason: string | undefined;
  readonly input: unknown;
}

/** A verdict that a human can replace by choosing an option. */
export interface AskedVerdict {
  readonly hook: RegisteredHook;
  readonly reason: string | undefined;
  readonly options: readonly DecisionOption[];
  readonly verdict: Verdict;
}

/** What the hooks of one event have answered so far, in hook order. */
export interface Collected {
  readonly runs: HookRun[];
  readonly failures: { readonly hook: RegisteredHook; readonly failure: HookFailure }[];
  readonly context: ContextItem[];
  readonly userMessages: UserMessage[];
  hookInputs: HookInput[];
  keepGoing: string[];
  answer: { readonly value: unknown } | undefined;
  retry: Decision["retry"];
  abort: Decision["abort"];
  /** True when a hook denied that ends the plan by it. */
  isShortCircuited: boolean;
  native: Decision["native"];
  verdicts: Verdict[];
  /** Those of them that came with options. */
  readonly choices: AskedVerdict[];
}

/** Everything about one event while it is being decided. */
export interface EventScope {
  readonly engine: Engine;
  readonly known: KnownEvent;
  readonly session: SessionState;
  readonly agent: AgentState;
  readonly options: FireOptions;
  readonly event_id: string;
  /** Created when the first hook has to be waited for. */
  deadlines: Deadlines | undefined;
  /** Wall time and monotonic time of the start; every other time is computed from them. */
  readonly wall: number;
  readonly started: number;
  /** The last reading of the monotonic clock: the end of one hook is the start of the next. */
  reading: number;
  /** Counts the runs, for their ids. */
  runs: number;
  /** The hooks that could match when the event came; later changes of the set apply from the next event on. */
  readonly candidates: readonly RegisteredHook[];
  /** The hooks whose matcher fits, in order. */
  plan: readonly RegisteredHook[];
  /** The event as the hooks so far have rewritten it. */
  event: AnyEvent;
  /** The event before each rewrite, with the place in the plan of the first hook that saw the new one. */
  readonly rewritten: { readonly until: number; readonly event: AnyEvent }[];
  readonly collected: Collected;
  /** What a human chose of a hook's options. */
  readonly chosen: Map<RegisteredHook, string>;
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
    answer: undefined,
    retry: undefined,
    abort: undefined,
    isShortCircuited: false,
    native: undefined,
    verdicts: [],
    choices: [],
  };
}

/** Counts the event and makes it, with every hook that could match. `undefined` when nobody listens to it. */
export function openScope(
  engine: Engine,
  known: KnownEvent,
  given: GivenEvent,
  options: FireOptions,
): EventScope | undefined {
  const { ports } = engine;
  const { session_id, agent_id } = given;
  const session = engine.sessions.of(session_id);
  const agent = agentState(session, typeof agent_id === "string" ? agent_id : session_id);
  const started = ports.clock.monotonic();
  session.seq += 1;
  countEvent(agent, known.row, given, started);
  if (options.turn_so_far !== undefined) countTurnSoFar(agent, options.turn_so_far, started);
  const occurrence = known.name === "Error" ? countError(session, given.error_type) : undefined;

  const candidates = engine.registry.candidates(known.name, toolOf(given));
  const hasListeners =
    candidates.length > 0 ||
    hasPending(session) ||
    options.hook_inputs !== undefined ||
    !engine.decisionObservers.isEmpty;
  if (!hasListeners) {
    countStop(agent, known);
    closeScope(engine, known, session_id);
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
    event: buildEvent(given, built, { event_id, seq, time: wall, in_hook_turn, occurrence }),
    rewritten: [],
    collected: newCollected(),
    chosen: new Map(),
  };
}

/** Forgets a session after its last event. */
export function closeScope({ sessions }: Engine, { row }: KnownEvent, session_id: string): void {
  if (row.inside_run === false) sessions.end(session_id);
}

/** The limits of an event: the caller's, and for the rest those of the set. */
export function limitsOf({ engine, options }: EventScope): Limits {
  return options.limits === undefined ? engine.limits : { ...engine.limits, ...options.limits };
}

/** Reads the clock. */
export function readClock(scope: EventScope): number {
  scope.reading = scope.engine.ports.clock.monotonic();
  return scope.reading;
}

/** The ISO time of a reading of the monotonic clock. */
export function timeOf({ wall, started }: EventScope, reading: number): string {
  return isoTime(wall + (reading - started));
}

function countError(session: SessionState, type: unknown): number {
  session.errors ??= new Map();
  const occurrence = (session.errors.get(String(type)) ?? 0) + 1;
  session.errors.set(String(type), occurrence);
  return occurrence;
}
