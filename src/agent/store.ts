import { isoTime } from "../core/clock.ts";
import { errorMessage } from "../core/error-text.ts";
import { TurnEnded } from "./ended.ts";
import type { HookInputItem, HookItem } from "./items.ts";
import type { AgentMessage } from "./messages.ts";
import { seal } from "./seal.ts";
import { type AgentSession, emit } from "./session.ts";

/** A message without what every message has. */
type Unsent<Message extends AgentMessage = AgentMessage> = Message extends AgentMessage
  ? Omit<Message, "id" | "turn_id" | "created_at"> & { readonly id?: string }
  : never;

/**
 * Adds a message to the conversation. Resolves when it is durable, so that no step runs ahead of it.
 *
 * @throws TurnEnded when the store failed.
 */
export function append<Role extends AgentMessage["role"]>(
  session: AgentSession,
  unsent: Unsent & { readonly role: Role },
): Promise<Extract<AgentMessage, { readonly role: Role }>>;
export async function append(session: AgentSession, unsent: Unsent): Promise<AgentMessage> {
  const message = stamped(session, unsent);
  session.conversation.add(message);
  const saving = session.options.store?.append(message, session.identity);
  if (saving !== undefined) {
    try {
      await saving;
    } catch (cause) {
      throw new TurnEnded("error", `The conversation can't be kept: ${errorMessage(cause)}`, {
        error_type: "store_failed",
        cause,
      });
    }
  }
  if (session.listeners.size > 0) emit(session, { type: "message", message });
  return message;
}

/** Shows the model a message that the transcript does not keep. */
export function showModel(session: AgentSession, unsent: Unsent): void {
  session.conversation.add(stamped(session, unsent), true);
}

function stamped(session: AgentSession, unsent: Unsent): AgentMessage {
  const { clock, newId, identity } = session;
  const stamp = {
    id: unsent.id ?? newId(),
    turn_id: identity.turn_id ?? "",
    created_at: isoTime(clock.now()),
  };
  return seal(Object.assign(stamp, unsent, { id: stamp.id }));
}

/** Tells and records what belongs into the rollout and not into the conversation. A store that fails here is reported. */
export async function record(session: AgentSession, item: HookItem | HookInputItem): Promise<void> {
  emit(session, item);
  const { options, identity, clock } = session;
  const about = { turn_id: identity.turn_id ?? "", timestamp: isoTime(clock.now()) };
  try {
    await options.store?.record?.({ ...item, ...about }, identity);
  } catch (error) {
    emit(session, { type: "error", error_type: "store_failed", message: errorMessage(error) });
  }
}
