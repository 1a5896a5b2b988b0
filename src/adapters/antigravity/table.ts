import { isRecord, listOf } from "../../core/base/json.ts";
import type { Loss, NativePayload, NativeReply } from "../adapter.ts";
import type { AgentTable, Draft } from "../codec/agent-table.ts";
import { unseenMessages } from "../codec/reply-forms.ts";
import {
  ANTIGRAVITY_EVENTS,
  antigravityEvent,
  REPLY_FORMS,
  type ReplyFormName,
  UNKNOWN_EVENT,
} from "./events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Everything about Antigravity CLI's payloads and replies, by its documentation: the program was not run. */
export const antigravityTable: AgentTable<ReplyFormName> = {
  name: "antigravity",
  title: "Antigravity CLI",
  evidence: { version: "1.2.3", date: "2026-11-16", documented: true },
  events: ANTIGRAVITY_EVENTS,
  unknown: UNKNOWN_EVENT,
  forms: REPLY_FORMS,
  eventOf: antigravityEvent,
  complete: (native, payload) => {
    const { conversationId, workspacePaths, transcriptPath } = payload;
    const [folder] = listOf(workspacePaths);
    return {
      session_id: conversationId,
      // Without a workspace, only the folder in which it starts hooks is left: that of their file.
      cwd: typeof folder === "string" && folder !== "" ? folder : process.cwd(),
      ...(typeof transcriptPath === "string" ? { transcript_path: transcriptPath } : {}),
      ...(native === "PreToolUse" ? ofCall(payload) : {}),
    };
  },
  write,
};

/** All tools of MCP servers are called by one tool of its own. */
function ofCall({ toolCall }: NativePayload): Fields {
  const { name, args } = isRecord(toolCall) ? toolCall : {};
  const { ServerName, ToolName, Arguments = {} } = isRecord(args) ? args : {};
  return name === "call_mcp_tool" && typeof ServerName === "string" && typeof ToolName === "string"
    ? { tool_name: `mcp__${ServerName}__${ToolName}`, tool_input: Arguments }
    : { tool_name: name, tool_input: args };
}

const UNSEEN = unseenMessages("Antigravity CLI shows the user no message of a hook.");

/** It has no place for messages to the user; they are in the journal, and on stderr. */
function write(
  { top, stderr, exit_code, messages }: Draft,
  _native: string,
  losses: readonly Loss[],
): NativeReply {
  return {
    stdout: exit_code === 0 && Object.keys(top).length > 0 ? JSON.stringify(top) : "",
    stderr: [...new Set([stderr, ...messages])].filter((text) => text !== "").join("\n"),
    exit_code,
    losses: messages.length === 0 ? losses : [...losses, UNSEEN],
  };
}
