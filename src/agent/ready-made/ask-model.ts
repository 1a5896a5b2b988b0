import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { wellFormed } from "../../shared/well-formed.ts";
import { textOf } from "../messages/messages.ts";
import { systemMessage } from "../messages/prompt.ts";
import type { AgentModel } from "../model/agent-model.ts";
import { withRetries } from "../model/retries.ts";
import { wholeAnswer } from "../model/stream.ts";

/** Asks a model one thing, again while that can help, and returns its text. Rejects when it fails or the signal is aborted. */
export async function askModelText(
  model: AgentModel,
  system: string,
  prompt: string,
  signal: AbortSignal,
): Promise<string> {
  const request: Pick<LanguageModelV3CallOptions, "prompt"> = {
    prompt: [systemMessage(system), { role: "user", content: [{ type: "text", text: wellFormed(prompt) }] }],
  };
  return textOf(await withRetries(() => wholeAnswer(model, request, signal), { signal }));
}
