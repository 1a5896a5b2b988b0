import { frozenCopy, markFrozen } from "../core/json.ts";
import type { AgentMessage } from "./messages.ts";

/**
 * Freezes a message made of plain JSON data all the way down and lets the engine know, so that every event shares it
 * and none copies it. Parts may hold only texts, flags and values that are frozen already.
 */
export function seal<Message extends AgentMessage>(message: Message): Message {
  for (const part of message.parts) Object.freeze(part);
  markFrozen(Object.freeze(message.parts));
  return markFrozen(Object.freeze(message));
}

/** A list of sealed messages, frozen as it is now. */
export function sealedList(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  return markFrozen(Object.freeze(messages.slice()));
}

/** Messages from outside (a transcript that was kept), copied and sealed. */
export function sealAll(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  return frozenCopy(messages);
}
