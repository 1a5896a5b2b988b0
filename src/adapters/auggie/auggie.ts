import { isRecord, listOf } from "../../core/base/json.ts";
import type { Adapter, Loss, NativePayload, NativeReply } from "../adapter.ts";
import { agentTable, type Draft } from "../codec/agent-table.ts";
import { COMMON_FORMS, jsonReply, unseenMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";

export const TOOL_EVENTS: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse"]);

type Fields = Readonly<Record<string, unknown>>;

export const auggieTable = agentTable({
  name: "auggie",
  title: "Auggie",
  evidence: { version: "0.36.0", date: "2026-11-16" },
  asks: { question: "terminal", plan_approval: "terminal" },
  /** The events of Auggie 0.36.0. It runs those without a reply form in the background and reads no reply. */
  events: {
    SessionStart: { event: "SessionStart", says: {} },
    PromptSubmit: { event: "UserPromptSubmit", renames: { user_prompt: "prompt" }, says: {} },
    // It ignores ask and an allow, and forgets context.
    PreToolUse: { event: "PreToolUse", says: { deny: "exit_2", rewrite: "updated_input" } },
    PostToolUse: {
      event: "PostToolUse",
      renames: { tool_output: "tool_response" },
      says: { deny: "exit_2", context: "additional_context" },
    },
    Stop: { event: "Stop", says: {} },
    SessionEnd: { event: "SessionEnd", says: {} },
    // This version checks the settings of this event and never sends it.
    Notification: {
      event: "Notification",
      renames: { notification_message: "message" },
      says: {},
      documented: true,
    },
  },
  unknown: { deny: "exit_2" },
  forms: {
    /** Not `permissionDecision: deny`, which another hook cancels by failing. */
    exit_2: COMMON_FORMS.exit_2,
    updated_input: COMMON_FORMS.updated_input,
    additional_context: COMMON_FORMS.additional_context,
  },
  complete: (payload) => {
    const { conversation_id, workspace_roots } = payload;
    const [root] = listOf(workspace_roots);
    return { session_id: conversation_id, cwd: root, ...ofTool(payload), ...lastMessage(payload) };
  },
  unfit: (_effect, form, _decision, { native }) =>
    form === "updated_input" && isRecord(native) && native.tool_name === TO_PROGRAM && WRITTEN,
  write,
});

/** The tool that writes to a program that is already running, which may be a shell. */
const TO_PROGRAM = "write-process";

const WRITTEN = "What write-process writes to a running program can't be rewritten.";

/** Our name of the tool, and of a text for a running program, which hooks judge as a command. */
function ofTool({ tool_name, tool_input, is_mcp_tool }: NativePayload): Fields {
  if (typeof tool_name !== "string") return {};
  if (is_mcp_tool === true) return { tool_name: mcpName(tool_name) };
  if (tool_name === TO_PROGRAM && isRecord(tool_input))
    return { tool_input: { ...tool_input, command: tool_input.input_text } };
  return /^sub-agent(?:-|$)/.test(tool_name) ? { tool_name: "Task" } : {};
}

/** It calls a tool of a server `tool_server`. Names of tools often have underscores, those of servers hardly do. */
function mcpName(name: string): string {
  const at = name.lastIndexOf("_");
  return at > 0 ? `mcp__${name.slice(at + 1)}__${name.slice(0, at)}` : name;
}

function lastMessage({ _exchange }: NativePayload): Fields {
  const exchange = isRecord(_exchange) ? _exchange.exchange : undefined;
  const text = isRecord(exchange) ? exchange.response_text : undefined;
  return typeof text === "string" ? { last_assistant_message: text } : {};
}

const UNSEEN = unseenMessages("Auggie shows the user no message with a refusal.");

function write(draft: Draft, native: string, losses: readonly Loss[]): NativeReply {
  const { specific, stderr, exit_code, messages } = draft;
  if (exit_code !== 0) {
    // It reads no JSON then, and the model reads all of stderr.
    const context = typeof specific.additionalContext === "string" ? [specific.additionalContext] : [];
    // The reason has what became a refusal.
    const refused = losses.filter(({ became }) => became === "deny").map(({ message }) => message);
    const isRead = messages.every((message) => refused.includes(message));
    const text = [stderr, ...context].join("\n\n");
    return { stdout: "", stderr: text, exit_code, losses: isRead ? losses : [...losses, UNSEEN] };
  }
  return jsonReply(draft, native, losses);
}

export const auggie: Adapter = Object.assign(tableCodec(auggieTable), {
  projectVariable: "AUGMENT_PROJECT_DIR",
  sessionVariable: "AUGMENT_CONVERSATION_ID",
  otherVariables: ["AUGMENT_AGENT", "AUGMENT_HOOK_EVENT", "AUGMENT_TOOL_NAME"],
});
