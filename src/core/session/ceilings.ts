import type { KnownEvent } from "../events/known-events.ts";
import type { Limits } from "../registration/limits.ts";
import { type AgentState, type StopState, startTurn, stopState, type TurnSoFar, tokensOf } from "./state.ts";

/** A ceiling that was reached: why hooks may not continue. */
export interface Ceiling {
  readonly limit: keyof Limits;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;

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
  const ceiling = continuationCeiling(counted(stop, wanted), limits);
  if (ceiling !== undefined) return ceiling;
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

export function continuationCeiling(continuations: number, limits: Limits): Ceiling | undefined {
  if (continuations < limits.stop_continuations) return undefined;
  return {
    limit: "stop_continuations",
    message: `Stop hooks have kept this turn going ${times(continuations)}; the limit is ${limits.stop_continuations}.`,
  };
}

/** The caller's count can only raise ours. */
function counted(stop: StopState, { event }: KeepGoing): number {
  return Math.max(stop.continuations, typeof event.continuations === "number" ? event.continuations : 0);
}

/** Counts that the agent really stops: its next stop belongs to another turn, even if no event announces it. */
export function countStop(agent: AgentState, known: KnownEvent): void {
  agent.stops.delete(known.name);
  if (known.row.ends_turn !== true) return;
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

/** How often, in words. */
export function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
