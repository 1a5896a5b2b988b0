import type { AgentMessage, MessageFromUser } from "./messages.ts";

/** A message that stands for earlier ones. */
export type Summary = MessageFromUser & { readonly summary_until: string };

/** True for a summary: nobody has said it, so nobody has to answer it. */
export function isSummary(message: AgentMessage): message is Summary {
  return message.role === "user" && message.summary_until !== undefined;
}

/** A transcript as the model sees it: the last summary in the place of what it stands for, earlier ones among that. */
export function afterCompaction(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const summary = messages.findLast(isSummary);
  if (summary === undefined) return messages;
  const until = messages.findIndex(({ id }) => id === summary.summary_until);
  return [summary, ...messages.slice(until + 1).filter((message) => !isSummary(message))];
}

/**
 * Up to which message of the transcript a summary of the first messages before the model reaches. What the transcript does
 * not keep can't say so.
 *
 * @returns `undefined` when the transcript keeps none of them.
 */
export function reachOf(
  summarised: readonly AgentMessage[],
  isKept: (message: AgentMessage) => boolean,
): string | undefined {
  const last = summarised.findLast((message) => !isSummary(message) && isKept(message));
  return last?.id ?? summarised.find(isSummary)?.summary_until;
}
