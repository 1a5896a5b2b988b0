import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ModelCall, NativePayload, NativeUsage } from "../adapter.ts";
import { callsSince, countOf, fieldsOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";

export function claudeUsage({
  transcript_path,
  agent_transcript_path,
}: NativePayload): NativeUsage | undefined {
  const own = usageIn(agent_transcript_path ?? transcript_path, FORMAT);
  if (own === undefined || agent_transcript_path !== undefined) return own;
  const besides = callsBelow(String(transcript_path), own.since ?? 0);
  return besides.length === 0 ? own : { ...own, besides };
}

const MOST_FILES = 100;

/** The calls of subagents, and those for summaries, which Claude Code records in files of their own next to the session. */
function callsBelow(transcript: string, since: number): readonly ModelCall[] {
  try {
    const folder = join(transcript.replace(/\.jsonl$/, ""), "subagents");
    const files = readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).mtimeMs > since);
    return files.slice(0, MOST_FILES).flatMap((file) => callsSince(file, FORMAT, since));
  } catch {
    return [];
  }
}

const USUAL_WINDOW = 200_000;
const LONG_WINDOW = 1_000_000;

const FORMAT: UsageFormat = {
  marks: ['"type":"assistant"', '"type":"user"'],
  skipped: '"toolUseResult":',
  call: ({ type, message }) => {
    const { id, model, usage } = fieldsOf(message);
    if (type !== "assistant" || typeof usage !== "object" || usage === null) return undefined;
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
      fieldsOf(usage);
    const cached_tokens = countOf(cache_read_input_tokens);
    const cache_write_tokens = countOf(cache_creation_input_tokens);
    const input = countOf(input_tokens) + cached_tokens + cache_write_tokens;
    // An error message that Claude Code wrote in the place of an answer.
    if (input + countOf(output_tokens) === 0) return undefined;
    return {
      id,
      model: `anthropic/${String(model)}`,
      // More than the usual window takes: then it is the long one, which the transcript does not name.
      ...(input > USUAL_WINDOW ? { context_window: LONG_WINDOW, window_inferred: true } : {}),
      input_tokens: input,
      output_tokens: countOf(output_tokens),
      cached_tokens,
      cache_write_tokens,
    };
  },
  begins: ({ type, isMeta }) => type === "user" && isMeta !== true,
};
