import { randomUUID } from "node:crypto";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type {
  ForkOptions,
  StoredMessage,
  Transcript,
  TranscriptMetadata,
} from "../../core/contracts/transcript.ts";
import type { Backend } from "./backend.ts";

/**
 * Starts an agent of its own with the messages of another one.
 *
 * @throws TenterhookError `unknown_agent` when the agent, turn or message does not exist; `agent_exists`.
 */
export async function fork(
  backend: Backend,
  agent_id: string,
  options: ForkOptions,
  time: string,
): Promise<TranscriptMetadata> {
  const { agent_id: id = randomUUID() } = options;
  const original = await backend.load(agent_id, options);
  if (original === undefined)
    throw new TenterhookError("unknown_agent", `The store has no transcript of agent "${agent_id}".`);
  const messages = forkedMessages(original.messages, agent_id, options);
  const { title, agent_type, model, cwd, mode, mode_before, ...rest } = original.metadata;
  const { status, waiting_for, unheard, error } = rest;
  const metadata: TranscriptMetadata = {
    session_id: id,
    agent_id: id,
    agent_type,
    cwd,
    title,
    model,
    mode,
    mode_before,
    ...(sharesEnd(original, messages, options)
      ? { status, waiting_for, unheard, error }
      : { status: "complete" }),
    forked_from: { agent_id, message_id: messages.at(-1)?.id },
    created_at: time,
    updated_at: time,
  };
  if (!(await backend.create(metadata, messages)))
    throw new TenterhookError("agent_exists", `There is an agent "${id}" already.`);
  return metadata;
}

function forkedMessages(
  messages: readonly StoredMessage[],
  agent_id: string,
  { turn_id, message_id }: ForkOptions,
): readonly StoredMessage[] {
  if (turn_id === undefined && message_id === undefined) return messages;
  const last = messages.findLastIndex((message) =>
    message_id === undefined ? turnOf(message) === turn_id : message.id === message_id,
  );
  if (last >= 0) return messages.slice(0, last + 1);
  const missing = message_id === undefined ? `turn "${turn_id}"` : `message "${message_id}"`;
  throw new TenterhookError("unknown_agent", `Agent "${agent_id}" has no ${missing}.`, {
    hint: "store.load() shows its messages.",
  });
}

/** True for a fork that ends where its original does: the original got no input since. */
function sharesEnd(
  { metadata, messages }: Pick<Transcript, "metadata" | "messages">,
  forked: readonly StoredMessage[],
  { turn_id, message_id }: ForkOptions,
): boolean {
  if (forked.length < messages.length) return false;
  const { unheard } = metadata;
  if ((turn_id === undefined && message_id === undefined) || !isRecord(unheard)) return true;
  return messages.some((message) => turnOf(message) === unheard.turn_id);
}

function turnOf(message: StoredMessage): unknown {
  return "turn_id" in message ? message.turn_id : undefined;
}
