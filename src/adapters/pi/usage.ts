import type { NativePayload, NativeUsage } from "../adapter.ts";
import { countOf, fieldsOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";

/** Never throws. */
export function piUsage({ transcript_path }: NativePayload): NativeUsage | undefined {
  return usageIn(transcript_path, FORMAT);
}

const FORMAT: UsageFormat = {
  marks: ['"role":"assistant"', '"role":"user"'],
  call: ({ id, message }) => {
    const { role, provider, model, usage } = fieldsOf(message);
    const { input, output, cacheRead, cacheWrite, totalTokens, cost } = fieldsOf(usage);
    // A call that failed.
    if (role !== "assistant" || countOf(totalTokens) === 0) return undefined;
    const { total } = fieldsOf(cost);
    return {
      id,
      model: `${String(provider)}/${String(model)}`,
      input_tokens: countOf(input) + countOf(cacheRead) + countOf(cacheWrite),
      output_tokens: countOf(output),
      cached_tokens: countOf(cacheRead),
      cache_write_tokens: countOf(cacheWrite),
      ...(typeof total === "number" ? { cost_usd: countOf(total) } : {}),
    };
  },
  begins: ({ message }) => fieldsOf(message).role === "user",
};
