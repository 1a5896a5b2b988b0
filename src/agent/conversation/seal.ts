import { frozenCopy, markFrozen } from "../../core/base/json.ts";
import type { AgentMessage } from "./messages.ts";

/**
 * Freezes a message all the way down, before it is handed out; inside the loop nobody changes one. Its parts may hold
 * only texts, flags and values that are frozen already.
 */
export function seal<Message extends AgentMessage>(message: Message): Message {
  if (Object.isFrozen(message)) return message;
  for (const part of message.parts) Object.freeze(part);
  Object.freeze(message.parts);
  return Object.freeze(message);
}

/**
 * A list of sealed messages, frozen as it is now, and known to the engine as such: events share it and copy nothing.
 *
 * @param known how many of the first messages the engine knows already.
 */
export function sealedList(messages: readonly AgentMessage[], known = 0): readonly AgentMessage[] {
  for (let at = known; at < messages.length; at += 1) {
    const message = messages[at];
    if (message !== undefined) markFrozen(seal(message));
  }
  return markFrozen(Object.freeze(messages.slice()));
}

/** Messages from outside (a transcript that was kept), copied and sealed. */
export function sealAll(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  return frozenCopy(messages);
}
