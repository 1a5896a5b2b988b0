import type { LanguageModelV3FinishReason } from "@ai-sdk/provider";
import type { FinishReason, MessageFromAssistant } from "../messages/messages.ts";
import type { StopReason } from "../stop-reasons.ts";

/** What providers call an end that the AI SDK does not tell apart. */
const BY_RAW: ReadonlyMap<string, FinishReason> = new Map([
  ["pause_turn", "pause"],
  ["model_context_window_exceeded", "context_overflow"],
]);

const BY_UNIFIED: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  "content-filter": "refusal",
  "tool-calls": "tool_calls",
};

export function finishReasonOf({ unified, raw }: LanguageModelV3FinishReason): FinishReason {
  return BY_RAW.get(raw ?? "") ?? BY_UNIFIED[unified] ?? "other";
}

/** True for an answer that has no end: the last call in it may have half of its input. */
export function isCutOff(finish_reason: string | undefined): boolean {
  return finish_reason === "length" || finish_reason === "context_overflow";
}

/** How a turn ends with an answer: `undefined` when nothing is wrong with it. */
export function stopReasonOf({
  finish_reason,
}: Pick<MessageFromAssistant, "finish_reason">): Extract<StopReason, "cut_off" | "refused"> | undefined {
  if (isCutOff(finish_reason)) return "cut_off";
  return finish_reason === "refusal" ? "refused" : undefined;
}
