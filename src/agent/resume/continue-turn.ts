import type { AgentMessage } from "../conversation/messages.ts";
import type { Generated } from "../items.ts";
import { endEarly } from "../loop/end-early.ts";
import { generate } from "../loop/generate.ts";
import { enterTurn } from "../loop/new-turn.ts";
import { endingOf } from "../loop/turn-ended.ts";
import { fire } from "../session/fire.ts";
import type { AgentSession, Turn } from "../session/session.ts";
import { keepRepairs } from "./keep-repairs.ts";

/**
 * Goes on with a turn that was cut off or waited for a human. The prompt and TurnStart have been heard already; Resume
 * takes their place. Calls that may run pass every gate again. Never rejects for what happens in it.
 */
export async function continueTurn(session: AgentSession, turn: Turn, answers: unknown): Promise<Generated> {
  const { conversation, pending } = session;
  const { unfinished } = pending;
  pending.unfinished = undefined;
  await enterTurn(session, turn);
  let generated: Generated;
  try {
    await keepRepairs(session);
    await fire(session, turn, "Resume", answers === undefined ? {} : { answers });
    generated = await generate(session, turn, taskOf(conversation.transcript(turn.from)), unfinished);
  } catch (error) {
    generated = await endEarly(session, turn, endingOf(error, turn.signal));
  }
  if (generated.stop_reason !== "suspended") pending.waiting = undefined;
  pending.not_begun = undefined;
  return generated;
}

/** What the turn was asked to do. */
function taskOf([first]: readonly AgentMessage[]): string {
  if (first?.role !== "user") return "";
  return first.parts.map(({ text }) => text).join("\n");
}
