import { join } from "node:path";
import type { NativePayload, NativeUsage } from "../adapter.ts";
import { countOf, fieldsOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";
import { partsOf, type RecordedSessions, textIn, textOfParts } from "../codec/recorded-session.ts";

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

/** What pi writes into `sessions/FOLDER/TIME_SESSION.jsonl`. */
export const piSessions: RecordedSessions = {
  folders: ({ home, environment }) => [
    join(textIn(environment.PI_CODING_AGENT_DIR) ?? join(home, ".pi", "agent"), "sessions"),
  ],
  file: /\.jsonl$/,
  marks: ['"type":"session"', '"role":"assistant"', '"role":"user"'],
  isIts: ({ type, version, cwd, parentId, message }) =>
    (type === "session" && typeof version === "number" && typeof cwd === "string") ||
    (type === "message" && parentId !== undefined && fieldsOf(message).role !== undefined),
  events: { call: "tool_call", prompt: "input", answer: "turn_end" },
  payload: { plugin: "pi" },
  read: ({ type, id, cwd, message, timestamp: at } = {}, session) => {
    if (type === "session") {
      session.session_id = textIn(id);
      session.cwd = textIn(cwd);
    }
    if (type !== "message") return [];
    const { role, content, stopReason } = fieldsOf(message);
    const text = textOfParts(content);
    if (role === "user") return text === "" ? [] : [{ prompt: text, at }];
    if (role !== "assistant") return [];
    const calls = partsOf(content).flatMap((part) =>
      part.type === "toolCall"
        ? [{ tool_name: part.name, tool_input: part.arguments, tool_use_id: part.id, at }]
        : [],
    );
    return stopReason === "stop" && text !== "" ? [...calls, { answer: text, at }] : calls;
  },
};
