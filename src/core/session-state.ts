import type { ContextItem, UserMessage } from "./decision.ts";

/** What the engine remembers of one agent of a session: plain data. */
export interface AgentState {
  turn_id: string | undefined;
  /** When the turn began, on the monotonic clock. */
  turn_started: number | undefined;
  turn_tokens: number;
  continuations: number;
  /** True when the last stop was one that hooks wanted to prevent and a ceiling did not let them. */
  capped: boolean;
  retries: number;
  last_stop_reason: string | undefined;
  same_stop_reasons: number;
  /** True once a tool call of this agent was seen: only then does "no tool call between" mean anything. */
  tools_seen: boolean;
  hook_turns_granted: number;
  hook_turns_started: number;
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
  /** Which `once` hooks have had their turn. */
  once_done: Set<string> | undefined;
  errors: Map<string, number> | undefined;
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
        once_done: undefined,
        errors: undefined,
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
      continuations: 0,
      capped: false,
      retries: 0,
      last_stop_reason: undefined,
      same_stop_reasons: 0,
      tools_seen: false,
      hook_turns_granted: 0,
      hook_turns_started: 0,
      values: undefined,
    };
    session.agents.set(agentId, state);
  }
  return state;
}
