import { join } from "node:path";
import {
  partsOf,
  type RecordedSessions,
  type Told,
  textIn,
  textOfParts,
} from "../../adapters/codec/recorded-session.ts";
import { isRecord } from "../../core/base/json.ts";
import { journalFolder } from "../../journal/files.ts";
import { isJournalRecord, type JournalRecord } from "../../journal/record.ts";
import { finalAction } from "../../journal/verdict.ts";
import { stateFolder } from "../../node/user-folders.ts";

/** The name under which our own agent's sessions and the journal are chosen. */
export const OWN = "tenterhook";

/** The transcripts of our own agent: a line for each message. */
export const ownSessions: RecordedSessions = {
  folders: ({ environment }) => [join(stateFolder({ ...environment }), "transcripts")],
  file: /\.jsonl$/,
  marks: ['"begin":', '"message":'],
  isIts: ({ agent, begin, message }) => typeof agent === "string" && (isRecord(begin) || isRecord(message)),
  read: ({ begin, message } = {}, session) => {
    if (isRecord(begin)) {
      session.session_id = textIn(begin.session_id);
      session.cwd = textIn(begin.cwd);
    }
    if (!isRecord(message)) return [];
    const { role, parts, source, created_at: at, finish_reason } = message;
    const text = textOfParts(partsOf(parts).filter(({ type }) => type === "text"));
    if (role === "user") return source === "user" && text !== "" ? [{ prompt: text, at }] : [];
    if (role !== "assistant") return [];
    const calls = partsOf(parts).flatMap(({ type, tool_name, tool_input, tool_use_id }) =>
      type === "tool_call" ? [{ tool_name, tool_input, tool_use_id, at }] : [],
    );
    return finish_reason === "stop" && text !== "" ? [...calls, { answer: text, at }] : calls;
  },
};

/** The journal: what was decided about the events of all agents that ask us. */
export const journalSessions: RecordedSessions = {
  folders: ({ environment }) => [journalFolder({ ...environment })],
  file: /\.jsonl$/,
  marks: ['"type":"decision"'],
  isIts: ({ v, type, event }) => v === 1 && typeof type === "string" && isRecord(event),
  read: (entry, session) => {
    if (!isJournalRecord(entry) || entry.type !== "decision") return [];
    const { event } = entry;
    session.session_id = entry.session_id;
    session.cwd = textIn(event.cwd);
    session.agent_id = textIn(event.agent_id);
    session.host = textIn(event.host);
    return toldBy(entry);
  },
};

/** What a record tells, and what was decided about it. A stop that was not accepted was denied. */
export function toldBy(record: JournalRecord): readonly Told[] {
  const { event, time: at, decision, happened } = record;
  const keptGoing =
    happened === undefined && isRecord(decision?.keep_going) ? decision.keep_going : undefined;
  const reason = decision?.reason ?? textIn(keptGoing?.reason);
  const action = keptGoing === undefined ? finalAction(record) : "deny";
  const recorded = { action, reason };
  const { hook_event_name: name, tool_name, tool_input, tool_use_id, prompt } = event;
  if (name === "PreToolUse") return [{ tool_name, tool_input, tool_use_id, at, recorded }];
  if (name === "UserPromptSubmit" && typeof prompt === "string") return [{ prompt, at, recorded }];
  const answer = name === "Stop" ? textIn(event.last_assistant_message) : undefined;
  return answer === undefined ? [] : [{ answer, at, recorded }];
}
