import type { AgentStore } from "../contracts.ts";
import type { HookInputItem, HookItem } from "../items.ts";
import { storeFailed, takenOver } from "../loop/turn-ended.ts";
import { keepRepairs } from "../resume/keep-repairs.ts";
import { type AgentSession, emit } from "../session/session.ts";
import type { AgentMessage } from "./messages.ts";
import { note, writeRollout } from "./rollout.ts";
import { seal } from "./seal.ts";

/**
 * Adds a message to the conversation. Done when it is durable, so that no step runs ahead of it.
 *
 * @throws TurnEnded when the store failed.
 */
export async function append<Message extends AgentMessage>(
  session: AgentSession,
  message: Message,
): Promise<Message> {
  session.conversation.add(message);
  const { store } = session.options;
  if (store !== undefined) return keep(session, store, message);
  if (session.listeners.size > 0) emit(session, { type: "message", message: seal(message) });
  return message;
}

/**
 * Gives a message of the conversation to the store, after those that it failed to keep.
 *
 * @throws TurnEnded when the store failed; the message is given to it again before the next one. Also when another
 *   process has taken over the agent; then it is not.
 */
export async function keep<Message extends AgentMessage>(
  session: AgentSession,
  store: AgentStore,
  message: Message,
): Promise<Message> {
  if (session.storage.taken_over) throw takenOver();
  try {
    if (session.storage.unsaved.length > 0) await keepRepairs(session);
    writeRollout(session);
    await store.append(seal(message), session.identity);
  } catch (cause) {
    session.storage.unsaved.push(message);
    throw storeFailed("The conversation", cause);
  }
  if (session.listeners.size > 0) emit(session, { type: "message", message });
  return message;
}

/** Tells and records what belongs into the rollout and not into the conversation. A store that fails here is reported. */
export async function record(session: AgentSession, item: HookItem | HookInputItem): Promise<void> {
  emit(session, item);
  const { rollout } = session.storage;
  if (rollout === undefined) return;
  note(session, item);
  writeRollout(session);
  await rollout.writing;
}
