import { internals } from "../../core/internals.ts";
import { type MessageFromAssistant, textOf } from "../messages/messages.ts";
import { TurnEnded } from "../turn-ended.ts";
import { append } from "./session/append.ts";
import { fire } from "./session/fire.ts";
import { type AgentSession, emit, type Turn } from "./session/session.ts";

/** True when a hook may change or refuse an answer: nobody must see it before. */
export function isGuarded({ hooks }: AgentSession): boolean {
  return internals(hooks).wants("PostGeneration", "");
}

/**
 * Asks PostGeneration hooks about an answer. Returns it as they leave it.
 *
 * @throws TurnEnded when they refuse it, a hook ends the run, or the turn is interrupted.
 */
export async function guardAnswer(turn: Turn, message: MessageFromAssistant): Promise<MessageFromAssistant> {
  const result = textOf(message);
  const fields = { response: message, result, usage: turn.usage };
  const decision = await fire(turn, "PostGeneration", fields);
  // Nobody can be asked about an answer.
  if (decision.action === "deny" || decision.action === "ask")
    throw new TurnEnded("denied", decision.reason ?? "A hook refused the answer.");
  if (decision.result === undefined || decision.result === result) return message;
  // Thoughts may contain what was removed from the text.
  return { ...message, parts: [{ type: "text", text: decision.result }] };
}

/**
 * Stores an answer that was held until hooks have agreed to it.
 *
 * @throws TurnEnded as {@link guardAnswer} does, and when the store failed.
 */
export async function releaseAnswer(turn: Turn, held: MessageFromAssistant): Promise<MessageFromAssistant> {
  const { session } = turn;
  const message = await guardAnswer(turn, held);
  turn.held = undefined;
  showText(session, message);
  return append(session, message);
}

/** Tells listeners the text of a message whose deltas were held back. */
export function showText(session: AgentSession, message: MessageFromAssistant): void {
  const text = textOf(message);
  if (text !== "") emit(session, { type: "text_delta", message_id: message.id, text });
}
