import { textOf } from "../conversation/messages.ts";
import type { Generated } from "../items.ts";
import type { AgentSession } from "../session/session.ts";

/** What a conversation ended with, for whoever wants to go on when nothing is left to do. */
export function lastWord({ conversation, options }: AgentSession): Generated {
  const last = conversation.transcript().findLast((message) => message.role === "assistant");
  const { status, error } = options.resume?.metadata ?? {};
  const text = last === undefined ? "" : textOf(last);
  const stop_reason = last?.ended ?? (status === "limit" ? "limit" : "complete");
  if (stop_reason !== "error") return { text, stop_reason };
  return { text, stop_reason, error: error ?? { error_type: "Error", message: text } };
}
