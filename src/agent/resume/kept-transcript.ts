import { TenterhookError } from "../../core/base/errors.ts";
import type { Transcript, TranscriptMetadata } from "../../core/contracts/transcript.ts";
import type { AgentStore } from "../contracts.ts";
import type { AgentMessage } from "../conversation/messages.ts";
import { keptMessages } from "./kept-messages.ts";

/**
 * What is kept of an agent. A transcript from elsewhere is given to the store first, so that what is added to it later
 * does not stand there alone.
 *
 * @throws TenterhookError `unknown_agent`; `store_damaged` for what can't be read; the reason of the signal when it is
 *   aborted before.
 */
export async function keptTranscript(
  kept: string | Transcript,
  store: AgentStore | undefined,
  signal?: AbortSignal,
): Promise<Transcript> {
  signal?.throwIfAborted();
  const read = signal === undefined ? {} : { signal };
  if (typeof kept === "string") {
    const found = await store?.load?.(kept, read);
    if (found !== undefined) return found;
    throw new TenterhookError(
      "unknown_agent",
      `No transcript is kept of agent "${kept}".`,
      store === undefined ? { hint: "Give the store that keeps it." } : {},
    );
  }
  const { metadata, messages } = kept;
  if (store === undefined) return kept;
  const there = (await store.load?.(metadata.agent_id, read))?.messages;
  // One that failed half-way, or was given when the conversation was shorter, is completed.
  const missing = keptMessages(messages, metadata.agent_id).slice(there?.length ?? 0);
  const begins = there?.every(({ id }, at) => id === messages[at]?.id) ?? true;
  if (there === undefined || (missing.length > 0 && begins)) await given(store, metadata, missing);
  return kept;
}

async function given(
  store: AgentStore,
  metadata: TranscriptMetadata,
  messages: readonly AgentMessage[],
): Promise<void> {
  for (const message of messages) await store.append(message, metadata);
  const { title, status, waiting_for, unheard, error, model, usage, mode, mode_before } = metadata;
  const changes = { title, status, waiting_for, unheard, error, model, usage, mode, mode_before };
  const there = Object.entries(changes).filter(([, value]) => value !== undefined);
  await store.save?.(Object.fromEntries(there), metadata);
}
