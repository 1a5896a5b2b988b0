import { withoutUndefined } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { Adapter, NativePayload } from "../adapter.ts";
import type { AgentTable } from "../codec/agent-table.ts";
import { writesWithoutMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { COPILOT_EVENTS, COPILOT_FORMS, type CopilotForm, copilotEvent, texts } from "./events.ts";

/** Everything about Copilot's payloads and replies. */
export const copilotTable: AgentTable<CopilotForm> = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  evidence: { version: "1.0.102", date: "2026-11-16" },
  events: COPILOT_EVENTS,
  unknown: { deny: "permission" },
  forms: COPILOT_FORMS,
  eventOf: copilotEvent,
  complete: (payload) => {
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

/**
 * Copilot joins a server and its tool with a hyphen, or with a slash where it asks for permission. Names of tools hardly
 * have hyphens, those of servers often do.
 */
function toolName(name: unknown): unknown {
  if (typeof name !== "string") return name;
  const at = name.includes("/") ? name.indexOf("/") : name.lastIndexOf("-");
  return at > 0 ? `mcp__${name.slice(0, at)}__${name.slice(at + 1)}` : name;
}

export const copilot: Adapter = Object.assign(tableCodec(copilotTable), {
  projectVariable: "COPILOT_PROJECT_DIR",
  otherVariables: ["COPILOT_CLI", "COPILOT_HOOK_DIR"],
  nextPayload,
});

/** Copilot has the next hook see another input or prompt, and nothing else of a hook's reply. */
function nextPayload(payload: NativePayload, { input, prompt }: Decision): NativePayload {
  const place = ["tool_input", "toolArgs"].find((key) => payload[key] !== undefined);
  return {
    ...payload,
    ...(input === undefined || place === undefined ? {} : { [place]: input }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}
