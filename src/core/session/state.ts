import type { ContextItem, UserMessage } from "../events/outcomes.ts";
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

/** What the engine remembers of a session. */
export interface SessionState {
  seq: number;
  last_used: number;
  readonly agents: Map<string, AgentState>;
  /** What async hooks left for the next event that can take it. */
  pending_context: ContextItem[] | undefined;
  pending_messages: UserMessage[] | undefined;
  pending_abort: { readonly reason?: string } | undefined;
  /** Which `once` hooks have had their turn. */
  once_done: Set<string> | undefined;
  errors: Map<string, number> | undefined;
  /** What humans have granted in calls of `toolCall`. */
  grants: Grants | undefined;
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
        pending_context: undefined,
        pending_messages: undefined,
        pending_abort: undefined,
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

  end(id: string): void {
    this.states.delete(id);
  }

  private forgetOldest(): void {
    const byUse = [...this.states].sort(([, a], [, b]) => a.last_used - b.last_used);
    for (const [id] of byUse.slice(0, Math.ceil(byUse.length / 2))) this.states.delete(id);
  }
}

/** The state of an agent of the session, made when it is first seen. */
export function agentState(session: SessionState, agentId: string): AgentState {
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

/** The stops of one kind of an agent. */
export function stopState(agent: AgentState, event: string): StopState {
  let state = agent.stops.get(event);
  if (state === undefined) {
    state = { continuations: 0, last_reason: undefined, same_reasons: 0, tool_calls: 0, capped: false };
    agent.stops.set(event, state);
  }
  return state;
}

/** True when an async hook left something for the session's next events. */
export function hasPending(session: SessionState): boolean {
  return (
    session.pending_messages !== undefined ||
    session.pending_context !== undefined ||
    session.pending_abort !== undefined
  );
}
