import { isRecord } from "../base/json.ts";
import type { GivenEvent } from "../events/build-event.ts";
import type { EventRow } from "../events/event-row.ts";
import type { KnownEvent } from "../events/known-events.ts";
import type { Limits } from "../registration/limits.ts";
import { type AgentState, type StopState, stopState } from "./state.ts";

/** A ceiling that was reached: why hooks may not continue. */
export interface Ceiling {
  readonly limit: keyof Limits;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Counts an event, whether or not a hook listens to it. `now` is a reading of the monotonic clock. */
export function countEvent(agent: AgentState, row: EventRow, given: GivenEvent, now: number): void {
  const { turn_id } = given;
  if (typeof turn_id === "string" && turn_id !== agent.turn_id) {
    agent.turn_id = turn_id;
    startTurn(agent, now);
  }
  if (row.counts === undefined) return;
  // A turn starts with its first work, not while a session waits for input.
  agent.turn_started ??= now;
  switch (row.counts) {
    case "tool_call":
      agent.tool_calls += 1;
      return;
    case "model_response":
      agent.turn_tokens += tokensOf(given.usage);
      return;
    case "user_prompt":
      startTurn(agent, now);
      startUserTurn(agent);
      return;
    case "turn":
      startTurn(agent, now);
      if (isHookTurn(agent, given)) {
        agent.in_hook_turn = true;
        agent.hook_turns_started += 1;
      } else startUserTurn(agent);
      return;
    default:
      row.counts satisfies never;
  }
}

/** A turn is a hook's when the caller says so, or when it says nothing and a turn that hooks asked for has not begun yet. */
function isHookTurn(agent: AgentState, event: Fields): boolean {
  if (typeof event.is_hook_input_turn === "boolean") return event.is_hook_input_turn;
  return agent.hook_turns_started < agent.hook_turns_granted;
}

/** What other processes have seen of this turn. It can only raise what this one counts. */
export interface TurnSoFar {
  /** How long ago the turn began. */
  readonly milliseconds?: number;
  /** How often in a row Stop hooks have given this reason before, with no tool call since. Absent when calls can't be seen. */
  readonly given_before?: (reason: string) => number;
}

/** Counts the part of the turn that other processes saw. `now` is a reading of the monotonic clock. */
export function countTurnSoFar(agent: AgentState, { milliseconds }: TurnSoFar, now: number): void {
  if (milliseconds === undefined) return;
  agent.turn_started = Math.min(agent.turn_started ?? now, now - milliseconds);
}

/** What hooks want when they keep an agent going. */
export interface KeepGoing {
  readonly event: Fields & { readonly hook_event_name: string };
  readonly reason: string;
  /** True when every tool call fires an event, so that no event means no call. */
  readonly sees_tool_calls?: boolean;
  readonly given_before?: TurnSoFar["given_before"];
}

/** Checks whether hooks may keep the agent going, and counts it when they may. */
export function keepGoingCeiling(
  agent: AgentState,
  wanted: KeepGoing,
  limits: Limits,
  now: number,
): Ceiling | undefined {
  const stop = stopState(agent, wanted.event.hook_event_name);
  // A ceiling ended the last turn; a stop that does not follow a continuation belongs to a new one.
  if (stop.capped && wanted.event.stop_hook_active !== true) startTurn(agent, now);
  const current = stopState(agent, wanted.event.hook_event_name);
  agent.turn_tokens = Math.max(agent.turn_tokens, tokensOf(wanted.event.usage));
  const ceiling = stopCeiling(agent, current, wanted, limits) ?? turnCeiling(agent, limits, now);
  current.capped = ceiling !== undefined;
  if (ceiling === undefined) current.continuations = counted(current, wanted) + 1;
  return ceiling;
}

function stopCeiling(
  agent: AgentState,
  stop: StopState,
  wanted: KeepGoing,
  limits: Limits,
): Ceiling | undefined {
  const again = wanted.reason === stop.last_reason && agent.tool_calls === stop.tool_calls;
  stop.same_reasons = (again ? stop.same_reasons : (wanted.given_before?.(wanted.reason) ?? 0)) + 1;
  stop.last_reason = wanted.reason;
  stop.tool_calls = agent.tool_calls;
  const continuations = counted(stop, wanted);
  if (continuations >= limits.stop_continuations) {
    return {
      limit: "stop_continuations",
      message: `Stop hooks have kept this turn going ${times(continuations)}; the limit is ${limits.stop_continuations}.`,
    };
  }
  if (
    (wanted.sees_tool_calls === true || agent.tool_calls > 0) &&
    stop.same_reasons >= limits.same_stop_reason
  ) {
    return {
      limit: "same_stop_reason",
      message: `A Stop hook gave the same reason ${times(stop.same_reasons)} in a row and the agent called no tool in between.`,
    };
  }
  return undefined;
}

/** The caller's count can only raise ours. */
function counted(stop: StopState, { event }: KeepGoing): number {
  return Math.max(stop.continuations, typeof event.continuations === "number" ? event.continuations : 0);
}

/** Counts that the agent really stops: its next stop belongs to another turn, even if no event announces it. */
export function countStop(agent: AgentState, known: KnownEvent): void {
  const { ends_turn = false } = known.row;
  // Most events are no stops.
  if (!ends_turn && agent.stops.size === 0) return;
  if (!known.allowed.has("keep_going")) return;
  agent.stops.delete(known.name);
  if (!ends_turn) return;
  agent.retries = 0;
  agent.turn_tokens = 0;
  agent.turn_started = undefined;
}

/** How many of the wanted follow-up turns hooks may start, counted as started; and the ceiling, when that is not all. */
export function grantHookTurns(
  agent: AgentState,
  wanted: number,
  limits: Limits,
  now: number,
): { readonly granted: number; readonly ceiling?: Ceiling } {
  const used = Math.max(agent.hook_turns_granted, agent.hook_turns_started);
  const spent = turnCeiling(agent, limits, now);
  if (spent !== undefined) return { granted: 0, ceiling: spent };
  const granted = Math.max(0, Math.min(wanted, limits.hook_turns - used));
  agent.hook_turns_granted = used + granted;
  if (granted === wanted) return { granted };
  return {
    granted,
    ceiling: {
      limit: "hook_turns",
      message: `Hooks have started ${limits.hook_turns} turns since the user's last prompt, which is the limit.`,
    },
  };
}

/** Checks whether hooks may have something tried again, and counts it when they may. */
export function retryCeiling(agent: AgentState, limits: Limits): Ceiling | undefined {
  if (agent.retries >= limits.error_retries) {
    return {
      limit: "error_retries",
      message: `Error hooks have asked for ${limits.error_retries} retries in this turn, which is the limit.`,
    };
  }
  agent.retries += 1;
  return undefined;
}

/** The ceiling on time or tokens that a turn has reached. */
export function turnCeiling(
  agent: Pick<AgentState, "turn_started" | "turn_tokens">,
  limits: Limits,
  now: number,
): Ceiling | undefined {
  const seconds = (now - (agent.turn_started ?? now)) / 1000;
  if (seconds > limits.turn_seconds) {
    return { limit: "turn_seconds", message: `This turn has taken more than ${limits.turn_seconds} s.` };
  }
  if (agent.turn_tokens > limits.turn_tokens) {
    return {
      limit: "turn_tokens",
      message: `This turn has used ${agent.turn_tokens} tokens; the limit is ${limits.turn_tokens}.`,
    };
  }
  return undefined;
}

function startTurn(agent: AgentState, now: number): void {
  agent.turn_started = now;
  agent.turn_tokens = 0;
  agent.retries = 0;
  agent.stops.clear();
}

function startUserTurn(agent: AgentState): void {
  agent.in_hook_turn = false;
  agent.hook_turns_granted = 0;
  agent.hook_turns_started = 0;
}

/** The tokens that count towards the ceiling of a turn. */
export function tokensOf(usage: unknown): number {
  if (!isRecord(usage)) return 0;
  const { total_tokens, input_tokens, output_tokens, cached_tokens } = usage;
  const total = positive(total_tokens) || positive(input_tokens) + positive(output_tokens);
  // A long conversation is read from the cache at every request: it would use up the limit by itself.
  return Math.max(0, total - positive(cached_tokens));
}

function positive(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
