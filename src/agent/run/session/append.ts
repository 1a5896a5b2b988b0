import { isoTime } from "../../../core/base/clock.ts";
import type { ContextItem, ContextLifetime } from "../../../core/events/outcomes.ts";
import type { HookInputItem, HookItem } from "../../items.ts";
import type {
  AgentMessage,
  AnswerEnd,
  FinishReason,
  MessageFromAssistant,
  MessageFromUser,
  ToolResultPart,
} from "../../messages/messages.ts";
import { sessionUsage } from "../../model/usage.ts";
import { storeFailed, takenOver } from "../../turn-ended.ts";
import { note, writeActivity } from "./activity.ts";
import { type AgentSession, emit } from "./session.ts";

export function userMessage(
  session: AgentSession,
  source: MessageFromUser["source"],
  parts: MessageFromUser["parts"],
  lifetime: ContextLifetime = "session",
): MessageFromUser {
  const { id, turn_id, created_at } = newHead(session);
  const message = { id, turn_id, created_at, role: "user", source, parts } as const;
  return lifetime === "session" ? message : { ...message, lifetime };
}

interface Answer {
  readonly id?: string;
  readonly model: string;
  readonly parts: MessageFromAssistant["parts"];
  readonly finish_reason?: FinishReason;
  readonly ended?: AnswerEnd;
}

export function assistantMessage(
  session: AgentSession,
  { id: own, model, parts, finish_reason = "stop", ended }: Answer,
): MessageFromAssistant {
  const { id, turn_id, created_at } = newHead(session, own);
  return { id, turn_id, created_at, role: "assistant", model, finish_reason, ended, parts };
}

function newHead({ clock, newId, identity }: AgentSession, id = newId()) {
  return { id, turn_id: identity.turn_id ?? "", created_at: isoTime(clock.now()) };
}

/**
 * Adds a message to the conversation. Resolves when it is durable, so that no step runs ahead of it.
 *
 * @throws TurnEnded when the store failed.
 */
export async function append<Message extends AgentMessage>(
  session: AgentSession,
  message: Message,
): Promise<Message> {
  session.conversation.add(message);
  await storeMessage(session, message);
  return message;
}

/**
 * Adds the result of a call, as {@link append} does.
 *
 * @throws TurnEnded when the store failed.
 */
export async function appendResult(session: AgentSession, part: ToolResultPart): Promise<void> {
  const { id, turn_id, created_at } = newHead(session);
  await append(session, { id, turn_id, created_at, role: "tool", parts: [part] });
}

/**
 * Gives a message of the conversation to the store, after those that it failed to store.
 *
 * @throws TurnEnded when the store failed; it gets the message again before the next one. Also when another process has
 *   taken over the agent; then it does not.
 */
export async function storeMessage(session: AgentSession, message: AgentMessage): Promise<void> {
  const { store } = session.options;
  if (store !== undefined) {
    if (session.storage.taken_over) throw takenOver();
    try {
      await storePending(session);
      writeActivity(session);
      await Promise.all([store.append(message, session.identity), saveUsage(session)]);
    } catch (cause) {
      session.storage.unsaved.push(message);
      throw storeFailed("The conversation", cause);
    }
  }
  if (session.listeners.size > 0) emit(session, { type: "message", message });
}

/**
 * Saves what was used since the last message, together with the next one, also for the agents above: a killed agent has
 * paid for it too.
 */
async function saveUsage(session: AgentSession): Promise<void> {
  const { storage, options, subagents } = session;
  if (subagents.parent !== undefined) await saveUsage(subagents.parent);
  const { total_tokens } = session.usage;
  if (total_tokens === storage.used || storage.taken_over || options.store?.save === undefined) return;
  storage.used = total_tokens;
  await options.store.save({ usage: sessionUsage(session) }, session.identity);
}

/**
 * Gives the store, in order, the messages of the conversation that it does not have: results of a repaired transcript, and
 * messages it failed to store. What fails again stays for the next time.
 *
 * @throws TurnEnded when the store failed, or another process has taken over the agent.
 */
export async function storePending(session: AgentSession): Promise<void> {
  const { options, identity, storage } = session;
  const { unsaved } = storage;
  if (storage.taken_over) throw takenOver();
  for (let first = unsaved[0]; first !== undefined; first = unsaved[0]) {
    try {
      await options.store?.append(first, identity);
    } catch (cause) {
      throw storeFailed("The conversation", cause);
    }
    if (unsaved[0] === first) unsaved.shift();
    if (session.listeners.size > 0) emit(session, { type: "message", message: first });
  }
}

/** Emits and records an item that belongs in the activity and not in the conversation. Reports a store that fails. */
export async function record(session: AgentSession, item: HookItem | HookInputItem): Promise<void> {
  emit(session, item);
  await recordUnseen(session, item);
}

/** Records an item that listeners learn otherwise. */
export async function recordUnseen(session: AgentSession, item: HookItem | HookInputItem): Promise<void> {
  note(session, item);
  writeActivity(session);
  await session.storage.activity?.writing;
}

/**
 * Adds the context of hooks at the end of the conversation. It stays there for its lifetime; no later request moves or
 * repeats it. Neighbours with the same lifetime share a message.
 *
 * @returns the messages that were added.
 */
export async function inject(
  session: AgentSession,
  items: readonly ContextItem[],
): Promise<readonly MessageFromUser[]> {
  const added: MessageFromUser[] = [];
  for (const group of byLifetime(items)) {
    const [first] = group;
    const parts = group.map(({ text, hook, role }) => ({ type: "context", text, hook, role }) as const);
    const message = userMessage(session, "hook", parts, first?.lifetime);
    if (first?.recorded === true) await append(session, message);
    else session.conversation.add(message, true);
    added.push(message);
  }
  return added;
}

function byLifetime(items: readonly ContextItem[]): readonly (readonly ContextItem[])[] {
  const groups: ContextItem[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (last?.lifetime === item.lifetime && last.recorded === item.recorded) group?.push(item);
    else groups.push([item]);
  }
  return groups;
}
