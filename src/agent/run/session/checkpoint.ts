import type { EventFields } from "../../../core/events/payloads.ts";
import { note } from "./activity.ts";
import { storePending } from "./append.ts";
import { saveBetweenRuns } from "./claim.ts";
import { fireAnyway, fireBetweenTurns } from "./fire.ts";
import type { AgentSession, Turn } from "./session.ts";

type CheckpointFields = EventFields["Checkpoint"];

/**
 * Notifies hooks that everything up to here is stored. The id is that of the last message, so that a fork can begin there.
 * Does nothing when there is no store, the store does not have all messages, or nothing was added.
 */
export async function checkpoint(
  session: AgentSession,
  checkpoint_type: NonNullable<CheckpointFields["checkpoint_type"]>,
  turn?: Turn,
): Promise<string | undefined> {
  const { options, conversation, clock, identity } = session;
  const last = conversation.last;
  if (options.store === undefined || last === undefined) return undefined;
  const { messages, time } = session.storage.checkpoint;
  if (checkpoint_type === "auto" && conversation.length === messages) return undefined;
  if (session.storage.unsaved.length > 0 && !(await storedAll(session, turn))) return undefined;
  const now = clock.monotonic();
  session.storage.checkpoint.messages = conversation.length;
  session.storage.checkpoint.time = now;
  const { transcript_path } = identity;
  const message_count = conversation.length - messages;
  const fields: CheckpointFields = {
    checkpoint_id: last.id,
    checkpoint_type,
    message_count,
    duration_since_last_ms: time === undefined ? undefined : now - time,
    storage_path: transcript_path,
  };
  note(session, { type: "checkpoint", checkpoint_type, message_id: last.id, message_count });
  if (turn !== undefined) await fireAnyway(session, "Checkpoint", { ...fields }, turn.firing);
  else await fireBetweenTurns(session, "Checkpoint", { ...fields });
  return last.id;
}

async function storedAll(session: AgentSession, turn: Turn | undefined): Promise<boolean> {
  try {
    await (turn === undefined ? saveBetweenRuns(session) : storePending(session));
    return true;
  } catch {
    return false;
  }
}

/** A checkpoint within a turn when enough was stored since the last one. */
export async function periodicCheckpoint(turn: Turn): Promise<void> {
  const { session } = turn;
  const { checkpoint_messages = Number.POSITIVE_INFINITY } = session.options;
  if (session.conversation.length - session.storage.checkpoint.messages >= checkpoint_messages)
    await checkpoint(session, "periodic", turn);
}
