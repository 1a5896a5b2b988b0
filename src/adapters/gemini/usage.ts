import type { NativePayload, NativeUsage } from "../adapter.ts";
import { countOf, fieldsOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";

/** Never throws. */
export function geminiUsage({ transcript_path }: NativePayload): NativeUsage | undefined {
  return usageIn(transcript_path, FORMAT);
}

const FORMAT: UsageFormat = {
  marks: ['"type":"gemini"', '"type":"user"'],
  call: ({ type, id, model, tokens }) => {
    if (type !== "gemini" || tokens === undefined) return undefined;
    const { input, output, cached, thoughts } = fieldsOf(tokens);
    return {
      id,
      model: `google/${String(model)}`,
      input_tokens: countOf(input),
      output_tokens: countOf(output) + countOf(thoughts),
      cached_tokens: countOf(cached),
    };
  },
  // The results of tools come as messages of the user too.
  begins: ({ type, content }) => type === "user" && !JSON.stringify(content).includes('"functionResponse"'),
};
