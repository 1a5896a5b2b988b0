import type { NativePayload, NativeUsage } from "../adapter.ts";
import { countOf, fieldsOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";

/** Never throws. */
export function qwenUsage({ transcript_path }: NativePayload): NativeUsage | undefined {
  return usageIn(transcript_path, FORMAT);
}

const FORMAT: UsageFormat = {
  marks: ['"type":"assistant"', '"type":"user"'],
  call: ({ type, uuid, model, usageMetadata }) => {
    if (type !== "assistant" || usageMetadata === undefined) return undefined;
    const { promptTokenCount, candidatesTokenCount, cachedContentTokenCount } = fieldsOf(usageMetadata);
    return {
      id: uuid,
      model: `qwen/${String(model)}`,
      input_tokens: countOf(promptTokenCount),
      output_tokens: countOf(candidatesTokenCount),
      cached_tokens: countOf(cachedContentTokenCount),
    };
  },
  begins: ({ type }) => type === "user",
};
