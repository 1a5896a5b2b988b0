import { join } from "node:path";
import { parsedText, type RecordedSessions, textIn } from "../codec/recorded-session.ts";

/** The parts of all messages in their order, without the outputs of tools. */
const PARTS = `
  SELECT session.id AS session, session.parent_id AS parent, session.directory AS cwd, part.time_created AS time,
    json_extract(part.data, '$.type') AS type, json_extract(part.data, '$.tool') AS tool,
    json_extract(part.data, '$.callID') AS call, json_extract(part.data, '$.state.input') AS input,
    json_extract(part.data, '$.text') AS text, json_extract(part.data, '$.synthetic') AS synthetic,
    json_extract(message.data, '$.role') AS role, json_extract(message.data, '$.finish') AS finish
  FROM part JOIN message ON message.id = part.message_id JOIN session ON session.id = part.session_id
  WHERE json_valid(part.data) AND json_extract(part.data, '$.type') IN ('tool', 'text')
  ORDER BY part.session_id, part.message_id, part.id`;

/** What opencode writes into its database. */
export const opencodeSessions: RecordedSessions = {
  folders: ({ home, environment }) => [
    join(textIn(environment.XDG_DATA_HOME) ?? join(home, ".local", "share"), "opencode"),
  ],
  file: /opencode[^/\\]*\.db$/,
  rows: { sql: PARTS },
  isIts: () => false,
  events: { call: "tool.execute.before", prompt: "chat.message", answer: "session.idle" },
  payload: { plugin: "opencode" },
  read: (row = {}, session) => {
    const { type, tool, call, input, text, role, finish, synthetic, parent, time } = row;
    const at = typeof time === "number" ? new Date(time).toISOString() : undefined;
    session.session_id = textIn(parent) ?? textIn(row.session);
    session.agent_id = textIn(parent) === undefined ? undefined : textIn(row.session);
    session.cwd = textIn(row.cwd);
    if (type === "tool") return [{ tool_name: tool, tool_input: parsedText(input), tool_use_id: call, at }];
    const said = session.agent_id === undefined && synthetic !== 1 ? textIn(text) : undefined;
    if (type !== "text" || said === undefined) return [];
    if (role === "user") return [{ prompt: said, at }];
    return finish === "stop" ? [{ answer: said, at }] : [];
  },
};
