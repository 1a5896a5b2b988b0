import type { NativePayload, NativeUsage } from "../adapter.ts";
import { countOf, fieldsOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";

/** Never throws. */
export function codexUsage({ transcript_path, model }: NativePayload): NativeUsage | undefined {
  return usageIn(transcript_path, formatFor(model));
}

/** The payload names the model; the counts in the transcript do not. */
function formatFor(model: unknown): UsageFormat {
  return {
    marks: ['"token_count"', '"task_started"', '"turn_context"'],
    call: ({ payload }) => {
      const { type, info } = fieldsOf(payload);
      const { total_token_usage, last_token_usage, model_context_window } = fieldsOf(info);
      if (type !== "token_count" || last_token_usage === undefined) return undefined;
      const { input_tokens, cached_input_tokens, output_tokens } = fieldsOf(last_token_usage);
      return {
        // It is written again when nothing but the rate limits has changed.
        id: fieldsOf(total_token_usage).total_tokens,
        ...(typeof model === "string" ? { model: `openai/${model}` } : {}),
        input_tokens: countOf(input_tokens),
        output_tokens: countOf(output_tokens),
        cached_tokens: countOf(cached_input_tokens),
        ...(countOf(model_context_window) > 0 ? { context_window: countOf(model_context_window) } : {}),
      };
    },
    begins: ({ type, payload }) => type === "turn_context" || fieldsOf(payload).type === "task_started",
  };
}
