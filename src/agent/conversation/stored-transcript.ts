import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import { type PermissionMode, stricterMode } from "../../core/contracts/tool.ts";
import type {
  ReadTranscriptOptions,
  StoredMessage,
  Transcript,
  TranscriptMetadata,
  TranscriptStore,
} from "../../core/contracts/transcript.ts";
import type { AgentStore } from "../contracts.ts";
import type { AgentMessage } from "../messages/messages.ts";
import { isMessage } from "./read-messages.ts";

/**
 * Loads the transcript of an agent by its id. A transcript that is given as a value is written to the store first, so that
 * the store has all of it when more is added.
 *
 * @throws TenterhookError `unknown_agent`; `store_damaged` for what can't be read; the reason of the signal when it is
 *   aborted before.
 */
export async function loadTranscript(
  from: string | Transcript,
  store: AgentStore | undefined,
  signal?: AbortSignal,
): Promise<Transcript> {
  signal?.throwIfAborted();
  const read = withoutUndefined({ signal });
  if (typeof from === "string") {
    const found = await store?.load?.(from, read);
    if (found !== undefined) return found;
    throw unknownAgent(from, store === undefined ? { hint: "Pass the store that has it." } : {});
  }
  const { metadata, messages } = from;
  if (store === undefined) return from;
  const stored = (await store.load?.(metadata.agent_id, read))?.messages;
  // The store may have the beginning: the last try failed half-way, or the conversation was shorter then.
  const missing = storedMessages(messages, metadata.agent_id).slice(stored?.length ?? 0);
  const begins = stored?.every(({ id }, at) => id === messages[at]?.id) ?? true;
  if (stored === undefined || (missing.length > 0 && begins)) await write(store, metadata, missing);
  return from;
}

async function write(
  store: AgentStore,
  metadata: TranscriptMetadata,
  messages: readonly AgentMessage[],
): Promise<void> {
  for (const message of messages) await store.append(message, metadata);
  const { title, status, waiting_for, unheard, error, model, usage, mode, mode_before } = metadata;
  const changes = { title, status, waiting_for, unheard, error, model, usage, mode, mode_before };
  await store.save?.(withoutUndefined(changes), metadata);
}

function unknownAgent(agent_id: string, options: { readonly hint?: string } = {}): TenterhookError {
  return new TenterhookError("unknown_agent", `The store has no transcript of agent "${agent_id}".`, options);
}

/**
 * Checks messages that a store returned.
 *
 * @throws TenterhookError `store_damaged` for one that can't be shown to a model.
 */
export function storedMessages(
  messages: readonly StoredMessage[],
  agent_id: string,
): readonly AgentMessage[] {
  return messages.map((message) => {
    const value: unknown = message;
    if (isRecord(value) && isMessage(value) && typeof value.turn_id === "string") return value;
    throw new TenterhookError(
      "store_damaged",
      `Message "${message.id}" of agent "${agent_id}" is not a valid message.`,
    );
  });
}

/** Limits the modes of a transcript, the current one and the one after plan mode. Modes that are not stored stay open. */
export function limitModes(transcript: Transcript, limit: PermissionMode): Transcript {
  const { mode, mode_before } = transcript.metadata;
  if (mode === undefined) return transcript;
  // An agent leaves plan mode itself when a human accepts its plan.
  const after = limit === "plan" ? "default" : limit;
  return {
    ...transcript,
    metadata: {
      ...transcript.metadata,
      mode: stricterMode(mode, limit),
      ...(mode_before === undefined ? {} : { mode_before: stricterMode(mode_before, after) }),
    },
  };
}

/**
 * Forks an agent at a turn; returns the id of the new one.
 *
 * @param turn the last turn of the fork, from 1 on.
 * @throws TenterhookError `unknown_agent`, also for a turn that does not exist; `store_damaged` without `onDamage`.
 */
export async function forkAt(
  store: Pick<TranscriptStore, "load" | "fork">,
  from: string,
  turn: number | undefined,
  read: ReadTranscriptOptions = {},
): Promise<string> {
  if (turn === undefined) return (await store.fork(from, read)).agent_id;
  const transcript = await store.load(from, read);
  if (transcript === undefined) throw unknownAgent(from);
  const turns = [...new Set(storedMessages(transcript.messages, from).map(({ turn_id }) => turn_id))];
  const turn_id = turns[turn - 1];
  if (turn_id !== undefined) return (await store.fork(from, { ...read, turn_id })).agent_id;
  throw new TenterhookError("unknown_agent", `Agent "${from}" has no turn ${turn}: it has ${turns.length}.`, {
    hint: turns.length === 0 ? "Fork all of it: omit the turn." : `Choose one from 1 to ${turns.length}.`,
  });
}
