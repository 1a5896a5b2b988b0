import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import type { NativePayload } from "../adapter.ts";
import type { AgentTable } from "../codec/agent-table.ts";
import { writesWithoutMessages } from "../codec/reply-forms.ts";
import { copilotEvent } from "./event-of.ts";
import { COPILOT_EVENTS, UNKNOWN_EVENT } from "./events.ts";
import { COPILOT_FORMS, type CopilotForm } from "./reply-forms.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Everything about Copilot's payloads and replies. */
export const copilotTable: AgentTable<CopilotForm> = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  evidence: { version: "1.0.102", date: "2026-11-16" },
  events: COPILOT_EVENTS,
  unknown: UNKNOWN_EVENT,
  forms: COPILOT_FORMS,
  eventOf: copilotEvent,
  complete: (native, payload) => {
    const {
      session_id = payload.sessionId,
      transcript_path = payload.transcriptPath,
      tool_name = payload.toolName,
      tool_input = payload.toolArgs ?? payload.toolInput ?? payload.arguments,
      tool_result = payload.toolResult,
      tool_use_id = payload.toolCallId,
      agent_id = payload.agentId,
      agent_type = payload.agentType,
      parent_agent_id = payload.parentAgentId,
    } = payload;
    return {
      session_id,
      ...texts({ transcript_path, tool_use_id, agent_id, agent_type, parent_agent_id }),
      ...(tool_name === undefined ? {} : { tool_name: toolName(tool_name) }),
      ...withoutUndefined({ tool_input, tool_response: tool_result }),
      ...(Object.hasOwn(COMPLETED, native) ? COMPLETED[native]?.(payload) : {}),
    };
  },
  write: writesWithoutMessages("GitHub Copilot CLI"),
  refuseUnknown: (reason) => ({
    // With exit code 2 it reads only what is on stdout.
    stdout: JSON.stringify({
      permissionDecision: "deny",
      permissionDecisionReason: reason,
      behavior: "deny",
      message: reason,
    }),
    stderr: reason,
    exit_code: 2,
    losses: [],
  }),
};

const SOURCES: ReadonlyMap<unknown, string> = new Map([["new", "startup"]]);

/** Fields that our event needs and the payload has in another form. */
const COMPLETED: Readonly<Record<string, (payload: NativePayload) => Fields>> = {
  SessionStart: ({ source }) => ({ source: SOURCES.get(source) ?? source }),
  SubagentStart: ofSubagent,
  SubagentStop: ({ response, ...payload }) => ({
    ...ofSubagent(payload),
    ...texts({ last_assistant_message: response }),
  }),
  ErrorOccurred: ({ error, errorContext, error_context = errorContext }) => {
    const { name, message } = isRecord(error) ? error : { name: undefined, message: error };
    return {
      error_type: textOf(error_context) ?? textOf(name) ?? "unknown",
      error_message: textOf(message) ?? textOf(name) ?? "unknown",
    };
  },
  Notification: ({ message, title }) => ({ message: textOf(message) ?? textOf(title) ?? "" }),
};

function ofSubagent({ agentName, agent_name = agentName }: NativePayload): Fields {
  return texts({ agent_type: agent_name });
}

/**
 * Copilot joins a server and its tool with a hyphen, or with a slash where it asks for permission. Names of tools hardly
 * have hyphens, those of servers often do.
 */
function toolName(name: unknown): unknown {
  if (typeof name !== "string") return name;
  const at = name.includes("/") ? name.indexOf("/") : name.lastIndexOf("-");
  return at > 0 ? `mcp__${name.slice(0, at)}__${name.slice(at + 1)}` : name;
}

/** Only what is a text: otherwise the field is missing. */
function texts(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => textOf(value) !== undefined));
}
