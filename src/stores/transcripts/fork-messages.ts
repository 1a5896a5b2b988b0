import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { ForkOptions, StoredMessage, Transcript } from "../../core/contracts/transcript.ts";

/**
 * The messages a fork begins with.
 *
 * @throws TenterhookError `unknown_agent` when the turn or message is not there.
 */
export function forkMessages(
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

/** True for a fork that ends where its original does: nothing was said to that since. */
export function sharesEnd(
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
