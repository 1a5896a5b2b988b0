import { join } from "node:path";
import { fieldsOf } from "../codec/read-usage.ts";
import { parsedText, partsOf, type RecordedSessions, textIn } from "../codec/recorded-session.ts";

/** What GitHub Copilot CLI writes into `session-state/SESSION/events.jsonl`. */
export const copilotSessions: RecordedSessions = {
  folders: ({ home, environment }) => [
    join(textIn(environment.COPILOT_HOME) ?? join(home, ".copilot"), "session-state"),
  ],
  file: /events\.jsonl$/,
  marks: ['"type":"session.start"', '"type":"assistant.message"', '"type":"user.message"'],
  isIts: ({ type, data, parentId }) =>
    /^(?:session|assistant|user|tool)\.\w+$/.test(String(type)) &&
    data !== undefined &&
    parentId !== undefined,
  read: ({ type, data, agentId, timestamp: at } = {}, session) => {
    const { sessionId, context, content, toolRequests } = fieldsOf(data);
    if (type === "session.start") {
      session.session_id = textIn(sessionId);
      session.cwd = textIn(fieldsOf(context).cwd);
    }
    session.agent_id = textIn(agentId);
    const text = session.agent_id === undefined ? textIn(content) : undefined;
    if (type === "user.message") return text === undefined ? [] : [{ prompt: text, at }];
    if (type !== "assistant.message") return [];
    const calls = partsOf(toolRequests).map(({ name, arguments: input, toolCallId }) => ({
      tool_name: name,
      tool_input: parsedText(input),
      tool_use_id: toolCallId,
      at,
    }));
    return calls.length > 0 || text === undefined ? calls : [{ answer: text, at }];
  },
};
