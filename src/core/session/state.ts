import { isRecord } from "../base/json.ts";
import type { EventRow } from "../events/event-row.ts";
import type { ContextItem, UserMessage } from "../events/outcomes.ts";
import type { GivenEvent } from "../events/payloads.ts";
import type { Grants } from "./grants.ts";

/** How often hooks have kept an agent from stopping. */
export interface StopState {
  continuations: number;
  last_reason: string | undefined;
  same_reasons: number;
  /** The agent's tool calls when the last reason was given. */
  tool_calls: number;
  /** True when the last stop was one that hooks wanted to prevent and a ceiling did not let them. */
  capped: boolean;
}

/** What the engine remembers of one agent of a session: plain data. */
export interface AgentState {
  turn_id: string | undefined;
  /** When the turn's work began, on the monotonic clock. */
  turn_started: number | undefined;
  turn_tokens: number;
  /** True in a turn that a hook started. */
  in_hook_turn: boolean;
  retries: number;
  /** Tool calls seen so far; only when there are any does "no tool call between" mean something. */
  tool_calls: number;
  hook_turns_granted: number;
  hook_turns_started: number;
  /** By event: Stop and SubagentStop of one agent are counted apart. */
  readonly stops: Map<string, StopState>;
  values: Map<string, unknown> | undefined;
}

/** What async hooks left for the next event of their session that can take it. */
export interface Pending {
  readonly context: readonly ContextItem[];
  readonly messages: readonly UserMessage[];
  readonly abort: { readonly reason?: string } | undefined;
}

/** What the engine remembers of a session. */
export interface SessionState {
  seq: number;
  last_used: number;
  readonly agents: Map<string, AgentState>;
  pending: Pending | undefined;
  /** Which `once` hooks have had their turn, and what the user was told once. */
  once_done: Set<string> | undefined;
  errors: Map<string, number> | undefined;
  /** What humans have granted in calls of `toolCall`. */
  grants: Grants | undefined;
}

/** What other processes have seen of this turn. It can only raise what this one counts. */
export interface TurnSoFar {
  /** How long ago the turn began. */
  readonly milliseconds?: number;
  /** How often in a row Stop hooks have given this reason before, with no tool call since. Absent when calls can't be seen. */
  readonly given_before?: (reason: string) => number;
}

const MOST_SESSIONS = 10_000;

/** The sessions this process has seen; the longest unused are forgotten when there are too many. */
export class Sessions {
  private readonly states = new Map<string, SessionState>();
  private uses = 0;

  of(id: string): SessionState {
    let state = this.states.get(id);
    if (state === undefined) {
      if (this.states.size >= MOST_SESSIONS) this.forgetOldest();
      state = {
        seq: 0,
        last_used: 0,
        agents: new Map(),
        pending: undefined,
        once_done: undefined,
        errors: undefined,
        grants: undefined,
      };
      this.states.set(id, state);
    }
    this.uses += 1;
    state.last_used = this.uses;
    return state;
  }

  /** Counts an event, whether or not a hook listens to it. `now` is a reading of the monotonic clock. */
  count(
    given: GivenEvent,
    row: EventRow,
    now: number,
    soFar?: TurnSoFar,
  ): { readonly session: SessionState; readonly agent: AgentState } {
    const { session_id, agent_id } = given;
    const session = this.of(session_id);
    const agent = agentState(session, typeof agent_id === "string" ? agent_id : session_id);
    countEvent(agent, row, given, now);
    if (soFar?.milliseconds !== undefined)
      agent.turn_started = Math.min(agent.turn_started ?? now, now - soFar.milliseconds);
    return { session, agent };
  }

  end(id: string): void {
    this.states.delete(id);
  }

  private forgetOldest(): void {
    const byUse = [...this.states].sort(([, a], [, b]) => a.last_used - b.last_used);
    for (const [id] of byUse.slice(0, Math.ceil(byUse.length / 2))) this.states.delete(id);
  }
}

function agentState(session: SessionState, agentId: string): AgentState {
  let state = session.agents.get(agentId);
  if (state === undefined) {
    state = {
      turn_id: undefined,
      turn_started: undefined,
      turn_tokens: 0,
      in_hook_turn: false,
      retries: 0,
      tool_calls: 0,
      hook_turns_granted: 0,
      hook_turns_started: 0,
      stops: new Map(),
      values: undefined,
    };
    session.agents.set(agentId, state);
  }
  return state;
}

export function stopState(agent: AgentState, event: string): StopState {
  let state = agent.stops.get(event);
  if (state === undefined) {
    state = { continuations: 0, last_reason: undefined, same_reasons: 0, tool_calls: 0, capped: false };
    agent.stops.set(event, state);
  }
  return state;
}

function countEvent(agent: AgentState, row: EventRow, given: GivenEvent, now: number): void {
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
function isHookTurn(agent: AgentState, event: GivenEvent): boolean {
  if (typeof event.is_hook_input_turn === "boolean") return event.is_hook_input_turn;
  return agent.hook_turns_started < agent.hook_turns_granted;
}

export function startTurn(agent: AgentState, now: number): void {
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
