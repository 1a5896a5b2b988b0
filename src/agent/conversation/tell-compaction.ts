import type { Decision } from "../../core/decide/decision.ts";
import type { EventFields } from "../../core/events/payloads.ts";
import { fire, fireBetweenTurns } from "../session/fire.ts";
import type { AgentSession, Turn } from "../session/session.ts";

/** When a conversation is shortened. */
export interface Moment {
  /** `undefined` between turns. */
  readonly turn: Turn | undefined;
  /** What ends it. */
  readonly signal: AbortSignal;
}

type Name = "PreCompact" | "PreModelRequest" | "PostModelResponse" | "PostCompact";

/**
 * Fires an event of the turn, or of none between turns.
 *
 * @throws TurnEnded when a hook ends the run, or the turn was interrupted meanwhile.
 */
export function tell<Told extends Name>(
  session: AgentSession,
  { turn, signal }: Moment,
  name: Told,
  fields: EventFields[Told] & Readonly<Record<string, unknown>>,
): Promise<Decision> {
  return turn === undefined
    ? fireBetweenTurns(session, name, fields, signal)
    : fire(session, turn, name, fields);
}
