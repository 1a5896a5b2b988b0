import type { AgentMessage, MessageFromUser } from "../messages.ts";

/** A transcript as the model sees it after its last compaction. */
export function afterCompaction(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const summary = messages.findLast(
    (message): message is MessageFromUser => message.role === "user" && message.summary_until !== undefined,
  );
  return summary === undefined ? messages : compacted(messages, summary);
}

/** Messages with a summary in the place of what it stands for. Earlier summaries are part of that. */
export function compacted(
  messages: readonly AgentMessage[],
  summary: MessageFromUser,
): readonly AgentMessage[] {
  const until = messages.findIndex(({ id }) => id === summary.summary_until);
  return [summary, ...messages.slice(until + 1).filter((message) => message !== summary)];
}
