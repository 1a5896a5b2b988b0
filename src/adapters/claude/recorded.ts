import { join } from "node:path";
import { fieldsOf } from "../codec/read-usage.ts";
import { partsOf, type RecordedSessions, textIn, textOfParts } from "../codec/recorded-session.ts";

/** What Claude Code writes into `projects/FOLDER/SESSION.jsonl`, and below that for its subagents. */
export const claudeSessions: RecordedSessions = {
  folders: ({ home, environment }) => [
    join(textIn(environment.CLAUDE_CONFIG_DIR) ?? join(home, ".claude"), "projects"),
  ],
  file: /\.jsonl$/,
  marks: ['"type":"assistant"', '"type":"user"'],
  isIts: ({ sessionId, parentUuid, message }) =>
    typeof sessionId === "string" && parentUuid !== undefined && fieldsOf(message).content !== undefined,
  read: (entry = {}, session) => {
    const { type, message, timestamp: at, isMeta, toolUseResult, isCompactSummary } = entry;
    session.session_id = textIn(entry.sessionId) ?? session.session_id;
    session.cwd = textIn(entry.cwd) ?? session.cwd;
    session.agent_id = entry.isSidechain === true ? textIn(entry.agentId) : undefined;
    const { content, stop_reason } = fieldsOf(message);
    if (type === "user") {
      const isPrompt = isMeta !== true && toolUseResult === undefined && isCompactSummary !== true;
      const prompt = isPrompt && session.agent_id === undefined ? textOfParts(content) : "";
      return prompt === "" ? [] : [{ prompt, at }];
    }
    if (type !== "assistant") return [];
    const calls = partsOf(content).flatMap(({ type: kind, name, input, id }) =>
      kind === "tool_use" ? [{ tool_name: name, tool_input: input, tool_use_id: id, at }] : [],
    );
    const answer = stop_reason === "end_turn" && session.agent_id === undefined ? textOfParts(content) : "";
    return answer === "" ? calls : [...calls, { answer, at }];
  },
};
