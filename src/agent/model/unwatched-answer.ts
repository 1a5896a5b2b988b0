import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Aborted } from "../loop/abort.ts";
import type { AgentModel } from "./agent-model.ts";
import { type AnswerListener, type ModelAnswer, newReading, streamAnswer } from "./stream.ts";

/**
 * Asks a model and reads its answer, which nobody watches. Rejects as `streamAnswer` does.
 *
 * @param used hears what that used, when the provider tells it.
 */
export function unwatchedAnswer(
  model: AgentModel,
  request: LanguageModelV3CallOptions,
  aborted: Aborted,
  used: AnswerListener["used"] = () => {},
): Promise<ModelAnswer> {
  const listener = { text() {}, reasoning() {}, used };
  return streamAnswer(model, { ...request, abortSignal: aborted.signal }, newReading(aborted), listener);
}
