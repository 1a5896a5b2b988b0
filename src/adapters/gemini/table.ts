import { isRecord } from "../../core/base/json.ts";
import type { Loss, NativePayload, NativeReply } from "../adapter.ts";
import type { AgentTable, Draft } from "../codec/agent-table.ts";
import { GEMINI_EVENTS, REPLY_FORMS, type ReplyFormName, UNKNOWN_EVENT } from "./events.ts";

/** Everything about Gemini CLI's payloads and replies. */
export const geminiTable: AgentTable<ReplyFormName> = {
  name: "gemini",
  title: "Gemini CLI",
  evidence: { version: "0.61.0", date: "2026-11-16" },
  events: GEMINI_EVENTS,
  unknown: UNKNOWN_EVENT,
  forms: REPLY_FORMS,
  complete: (native, payload) => (Object.hasOwn(COMPLETED, native) ? COMPLETED[native]?.(payload) : {}) ?? {},
  write,
};

type Fields = Readonly<Record<string, unknown>>;

/** Fields that our event needs and the payload has in another form. */
const COMPLETED: Readonly<Record<string, (payload: NativePayload) => Fields>> = {
  BeforeTool: toolName,
  AfterTool: toolName,
  // False also when a tool was called since a hook kept it going, so that only true says something.
  AfterAgent: ({ stop_hook_active }) => ({ stop_hook_active: stop_hook_active === true ? true : undefined }),
  AfterModel: ({ llm_response }) => {
    const { text, usageMetadata } = isRecord(llm_response) ? llm_response : {};
    return { text: typeof text === "string" ? text : undefined, usage: usageOf(usageMetadata) };
  },
  Notification: ({ notification_type, message }) => ({
    message: typeof message === "string" ? message : "",
    notification_type: notification_type === "ToolPermission" ? "permission_prompt" : notification_type,
  }),
};

/** Tools of MCP servers are called `mcp_server_tool`, which does not say where the name of the server ends. */
function toolName({ tool_name, mcp_context }: NativePayload): Fields {
  const { server_name, tool_name: tool } = isRecord(mcp_context) ? mcp_context : {};
  return typeof server_name === "string" && typeof tool === "string"
    ? { tool_name: `mcp__${server_name}__${tool}` }
    : { tool_name };
}

function usageOf(given: unknown): Fields | undefined {
  if (!isRecord(given)) return undefined;
  const { promptTokenCount: input, candidatesTokenCount: output } = given;
  return typeof input === "number" && typeof output === "number"
    ? { input_tokens: input, output_tokens: output }
    : undefined;
}

function write({ top, specific, messages }: Draft, native: string, losses: readonly Loss[]): NativeReply {
  // It shows the message of a refused prompt in place of the reason.
  const why = native === "BeforeAgent" ? (top.stopReason ?? top.reason) : undefined;
  const lines = messages.length > 0 && typeof why === "string" ? [why, ...messages] : messages;
  if (lines.length > 0) top.systemMessage = [...new Set(lines)].join("\n");
  if (Object.keys(specific).length > 0) top.hookSpecificOutput = { hookEventName: native, ...specific };
  const stdout = Object.keys(top).length > 0 ? JSON.stringify(top) : "";
  return { stdout, stderr: "", exit_code: 0, losses };
}
