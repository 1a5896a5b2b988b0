import { isRecord, withoutUndefined } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Adapter, NativePayload } from "../adapter.ts";
import type { AgentTable } from "../codec/agent-table.ts";
import { mcpParts, resultText } from "../codec/payload-of.ts";
import { writesWithoutMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";
import { COPILOT_EVENTS, COPILOT_FORMS, type CopilotForm, copilotEvent, texts } from "./events.ts";

export const copilotTable: AgentTable<CopilotForm> = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  evidence: { version: "1.0.102", date: "2026-11-16" },
  asks: {
    question: "terminal",
    plan_approval: "terminal",
    permission: { event: "PermissionRequest", dialog: "hidden", documented: true },
  },
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
  tools: {
    Bash: ["Bash", "bash", "powershell"],
    Read: ["Read", "view"],
    Write: ["Write", "create"],
    Edit: ["Edit", "edit"],
    Grep: ["Grep", "grep"],
    Glob: ["Glob", "glob"],
    Task: ["Agent", "Task", "task"],
    ApplyPatch: ["ApplyPatch", "apply_patch"],
    WebFetch: ["WebFetch", "web_fetch"],
    WebSearch: ["WebSearch", "web_search"],
    AskUserQuestion: ["AskUserQuestion", "ask_user"],
    ExitPlanMode: ["ExitPlanMode", "exit_plan_mode"],
  },
  tells,
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

/** Its names of the fields of tools that work on files. */
const FILE_FIELDS: Readonly<Record<string, string>> = {
  file_path: "path",
  content: "file_text",
  old_string: "old_str",
  new_string: "new_str",
};

function tells(
  { tool_name, tool_input: given, tool_response, source, ...fields }: NativePayload,
  { hook_event_name, error_type, error_message, agent_type }: AnyEvent,
): NativePayload {
  const mcp = mcpParts(tool_name);
  const isOfFile = isRecord(given) && typeof given.file_path === "string";
  const named = (name: string) => (isOfFile && Object.hasOwn(FILE_FIELDS, name) ? FILE_FIELDS[name] : name);
  const tool_input = isRecord(given)
    ? Object.fromEntries(Object.entries(given).map(([name, value]) => [named(name), value]))
    : given;
  // This event has one form only.
  if (hook_event_name === "PermissionRequest")
    return {
      hookName: "permissionRequest",
      sessionId: fields.session_id,
      timestamp: Date.now(),
      cwd: fields.cwd,
      toolName: mcp === undefined ? ownToolName(tool_name) : `${mcp.server}/${mcp.tool}`,
      toolInput: tool_input,
      permissionSuggestions: [],
    };
  return {
    timestamp: new Date().toISOString(),
    ...fields,
    ...(hook_event_name === "Error"
      ? { error: { name: error_type, message: error_message }, error_context: error_type }
      : {}),
    ...(/Stop$/.test(hook_event_name) ? { stop_reason: "end_turn" } : {}),
    ...(hook_event_name.startsWith("Subagent") ? { agent_name: agent_type } : {}),
    source: source === "startup" ? "new" : source,
    tool_name: mcp === undefined ? tool_name : `${mcp.server}-${mcp.tool}`,
    tool_input,
    tool_result:
      tool_response === undefined
        ? undefined
        : { result_type: "success", text_result_for_llm: resultText(tool_response) },
  };
}

/** Its own name of a tool that it calls by a borrowed one on other events. */
function ownToolName(borrowed: unknown): unknown {
  const [, own] = Object.values(copilotTable.tools ?? {}).find(([first]) => first === borrowed) ?? [];
  return own ?? borrowed;
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
