import { join } from "node:path";
import type { NativePayload, NativeUsage } from "../adapter.ts";
import { countOf, fieldsOf, type UsageFormat, usageIn } from "../codec/read-usage.ts";
import { partsOf, type RecordedSessions, textIn, textOfParts } from "../codec/recorded-session.ts";

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

/** What Qwen Code writes into `projects/FOLDER/chats/SESSION.jsonl`, and into `subagents` next to it. */
export const qwenSessions: RecordedSessions = {
  folders: ({ home, environment }) => [
    join(textIn(environment.QWEN_HOME) ?? join(home, ".qwen"), "projects"),
  ],
  file: /(?:chats|subagents)[/\\].*\.jsonl$/,
  marks: ['"type":"assistant"', '"type":"user"'],
  isIts: ({ uuid, sessionId, message }) =>
    typeof uuid === "string" && typeof sessionId === "string" && Array.isArray(fieldsOf(message).parts),
  read: (entry = {}, session) => {
    const { type, message, timestamp: at, provenance } = entry;
    session.session_id = textIn(entry.sessionId) ?? session.session_id;
    session.cwd = textIn(entry.cwd) ?? session.cwd;
    session.agent_id = entry.isSidechain === true ? textIn(entry.agentId) : undefined;
    const { parts } = fieldsOf(message);
    const text = session.agent_id === undefined ? textOfParts(parts) : "";
    if (type === "user") return provenance === "system" || text === "" ? [] : [{ prompt: text, at }];
    if (type !== "assistant") return [];
    const calls = partsOf(parts).flatMap(({ functionCall }) => {
      const { name, args, id } = fieldsOf(functionCall);
      return name === undefined ? [] : [{ tool_name: name, tool_input: args, tool_use_id: id, at }];
    });
    return calls.length > 0 || text === "" ? calls : [{ answer: text, at }];
  },
};
