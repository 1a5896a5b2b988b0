import type {
  ReadTranscriptOptions,
  RolloutStep,
  StoredMessage,
} from "../../../core/contracts/transcript.ts";
import { damaged } from "../damage.ts";
import { fromJson, isRolloutItem, isStoredMessage } from "../encode.ts";
import { keyOf } from "./columns.ts";
import type { OpenDatabase } from "./open-database.ts";

interface EntryRow {
  readonly seq: number;
  readonly message: string | null;
  readonly json: string;
}

/** Adds a message, or an item of the rollout when it has no id. Does nothing when the agent has this message. */
export function addEntry(
  { prepared }: OpenDatabase,
  agent_id: string,
  message_id: string | undefined,
  json: string,
): void {
  prepared("INSERT INTO entries (agent, message, json) VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(
    keyOf(agent_id),
    message_id === undefined ? null : keyOf(message_id),
    json,
  );
}

/** The messages of an agent, in order. */
export function messagesOf(
  { prepared, file }: OpenDatabase,
  agent_id: string,
  options: ReadTranscriptOptions,
): readonly StoredMessage[] {
  const rows: Iterable<EntryRow> = prepared(
    "SELECT seq, message, json FROM entries WHERE agent = ? AND message IS NOT NULL ORDER BY seq",
  ).iterate(keyOf(agent_id));
  const messages: StoredMessage[] = [];
  for (const { seq, json } of rows) {
    options.signal?.throwIfAborted();
    const message = fromJson(json);
    if (isStoredMessage(message)) messages.push(message);
    else damaged(`${file}, row ${seq} of entries,`, options);
  }
  return messages;
}

/** The rollout of an agent, in order. */
export function rolloutOf(
  { prepared, file }: OpenDatabase,
  agent_id: string,
  options: ReadTranscriptOptions,
): readonly RolloutStep[] {
  const rows: Iterable<EntryRow> = prepared(
    "SELECT seq, message, json FROM entries WHERE agent = ? ORDER BY seq",
  ).iterate(keyOf(agent_id));
  const steps: RolloutStep[] = [];
  for (const { seq, message, json } of rows) {
    options.signal?.throwIfAborted();
    const held = fromJson(json);
    if (message === null && isRolloutItem(held)) steps.push({ item: held });
    else if (message !== null && isStoredMessage(held)) steps.push({ message_id: held.id });
    else damaged(`${file}, row ${seq} of entries,`, options);
  }
  return steps;
}
