import type { EventRow } from "./events.ts";
import { isRecord } from "./json.ts";
import type { Limits } from "./limits.ts";
import type { AgentState } from "./session-state.ts";

/** A ceiling that was hit: why hooks may not go on. */
export interface Ceiling {
  readonly limit: keyof Limits;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Counts an event, whether or not a hook looks at it. */
export function countEvent(agent: AgentState, row: EventRow, event: Fields, now: number): void {
  if (typeof event.turn_id === "string" && event.turn_id !== agent.turn_id) {
    agent.turn_id = event.turn_id;
    startTurn(agent, now);
  }
  agent.turn_started ??= now;
  switch (row.counts) {
    case undefined:
      return;
    case "tool_call":
      agent.tools_seen = true;
      agent.last_stop_reason = undefined;
      return;
    case "model_response":
      agent.turn_tokens += tokensOf(event.usage);
      return;
    case "user_prompt":
      startTurn(agent, now);
      resetHookTurns(agent);
      return;
    case "turn":
      startTurn(agent, now);
      if (event.is_hook_input_turn === true) agent.hook_turns_started += 1;
      else resetHookTurns(agent);
      return;
    default:
      row.counts satisfies never;
  }
}

/** Asks whether hooks may keep the agent going for this reason, and counts it when they may. */
export function keepGoingCeiling(
  agent: AgentState,
  event: Fields,
  reason: string,
  limits: Limits,
  now: number,
): Ceiling | undefined {
  // A ceiling ended the last turn; a stop that does not follow a continuation belongs to a new one.
  if (agent.capped && event.stop_hook_active !== true) startTurn(agent, now);
  const ceiling = hitCeiling(agent, event, reason, limits, now);
  agent.capped = ceiling !== undefined;
  return ceiling;
}

function hitCeiling(
  agent: AgentState,
  event: Fields,
  reason: string,
  limits: Limits,
  now: number,
): Ceiling | undefined {
  const claimed = typeof event.continuations === "number" ? event.continuations : 0;
  const continuations = Math.max(agent.continuations, claimed);
  agent.turn_tokens = Math.max(agent.turn_tokens, tokensOf(event.usage));
  agent.same_stop_reasons = reason === agent.last_stop_reason ? agent.same_stop_reasons + 1 : 1;
  agent.last_stop_reason = reason;
  if (continuations >= limits.stop_continuations) {
    return {
      limit: "stop_continuations",
      message: `Stop hooks have kept this turn going ${times(continuations)}; the limit is ${limits.stop_continuations}.`,
    };
  }
  if (agent.tools_seen && agent.same_stop_reasons >= limits.same_stop_reason) {
    return {
      limit: "same_stop_reason",
      message: `A Stop hook gave the same reason ${times(agent.same_stop_reasons)} in a row and the agent called no tool in between.`,
    };
  }
  const spent = turnCeiling(agent, limits, now);
  if (spent !== undefined) return spent;
  agent.continuations = continuations + 1;
  return undefined;
}

/** The agent really stops: the next stop belongs to another turn, whether or not anybody tells when it begins. */
export function countStop(agent: AgentState): void {
  agent.continuations = 0;
  agent.last_stop_reason = undefined;
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

/** Asks whether hooks may have something tried again, and counts it when they may. */
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

function turnCeiling(agent: AgentState, limits: Limits, now: number): Ceiling | undefined {
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
  agent.capped = false;
  agent.turn_started = now;
  agent.turn_tokens = 0;
  agent.continuations = 0;
  agent.retries = 0;
  agent.last_stop_reason = undefined;
}

function resetHookTurns(agent: AgentState): void {
  agent.hook_turns_granted = 0;
  agent.hook_turns_started = 0;
}

function tokensOf(usage: unknown): number {
  if (!isRecord(usage)) return 0;
  const count = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);
  return count(usage.total_tokens) || count(usage.input_tokens) + count(usage.output_tokens);
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
