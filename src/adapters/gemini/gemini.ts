import { isRecord } from "../../core/base/json.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { Adapter, Loss, NativePayload, NativeReply } from "../adapter.ts";
import { agentTable, type Draft } from "../codec/agent-table.ts";
import { mcpParts, shownResult } from "../codec/payload-of.ts";
import { COMMON_FORMS, insteadOfResult, jsonReply } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";

function changedKeys(after: Decision["request"], before: unknown): Readonly<Record<string, unknown>> {
  const old = isRecord(before) ? before : {};
  return Object.fromEntries(
    Object.entries(after ?? {}).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(old[key])),
  );
}

export const TOOL_EVENTS: ReadonlySet<string> = new Set(["BeforeTool", "AfterTool"]);

export const geminiTable = agentTable({
  name: "gemini",
  title: "Gemini CLI",
  evidence: { version: "0.61.0", date: "2026-11-16" },
  // Its hooks can refuse, and a notification tells of a permission: none of them can answer.
  asks: { question: "terminal", plan_approval: "terminal", permission: "terminal" },
  /**
   * The events of Gemini CLI 0.61.0, each with the replies it honours. A hook that allows a call changes nothing: its own
   * permissions decide. It takes `ask`, but without a terminal it then ends the run without a word, with exit code 0.
   */
  events: {
    SessionStart: { event: "SessionStart", says: { context: "additional_context" } },
    SessionEnd: { event: "SessionEnd", says: {} },
    BeforeAgent: {
      event: "UserPromptSubmit",
      says: { deny: "decision", context: "additional_context", abort: "stop" },
    },
    AfterAgent: {
      event: "Stop",
      renames: { prompt_response: "last_assistant_message" },
      // False also when a tool was called since a hook kept it going, so that only true says something.
      fields: ({ stop_hook_active }) => ({ stop_hook_active: stop_hook_active === true ? true : undefined }),
      says: { keep_going: "decision", abort: "stop" },
    },
    BeforeModel: {
      event: "PreModelRequest",
      renames: { llm_request: "request" },
      says: { rewrite: "llm_request", abort: "stop" },
      documented: ["rewrite"],
    },
    /** One for each piece of the answer. */
    AfterModel: {
      event: "StreamDelta",
      fields: ({ llm_response }) => {
        const { text, usageMetadata } = isRecord(llm_response) ? llm_response : {};
        return { text: typeof text === "string" ? text : undefined, usage: usageOf(usageMetadata) };
      },
      says: { abort: "stop" },
    },
    BeforeToolSelection: { says: {}, declares: { effects: [] } },
    BeforeTool: {
      event: "PreToolUse",
      fields: toolName,
      says: { deny: "decision", rewrite: "tool_input", abort: "stop" },
    },
    AfterTool: {
      event: "PostToolUse",
      fields: toolName,
      says: {
        deny: "instead_of_result",
        rewrite: "instead_of_result",
        context: "additional_context",
        abort: "stop",
      },
    },
    /** Comes before every request to the model, also when there is nothing to compress. */
    PreCompress: { event: "PreCompact", says: {} },
    Notification: {
      event: "Notification",
      fields: ({ notification_type, message, details }) => ({
        message: askedIn(details) ?? (typeof message === "string" ? message : ""),
        notification_type: notification_type === "ToolPermission" ? "permission_prompt" : notification_type,
      }),
      says: {},
      documented: true,
    },
  },
  unknown: { deny: "decision" },
  /** The ways to pass something on to Gemini CLI. It ignores Claude Code's `permissionDecision` and `updatedInput`. */
  forms: {
    stop: COMMON_FORMS.stop,
    additional_context: COMMON_FORMS.additional_context,
    /** A refusal; where the agent is about to stop, it goes on with the reason as input. */
    decision: ({ top }, { reason, keep_going }) => {
      top.decision = "deny";
      top.reason = keep_going?.reason ?? reason ?? "Denied by a hook.";
    },
    /** The whole input: version 0.61 replaces it, older ones put the fields over those of the call. */
    tool_input: ({ specific }, { input }) => {
      specific.tool_input = input;
    },
    /** The model reads it as an error of the tool. */
    instead_of_result: ({ top }, decision) => {
      top.decision = "deny";
      top.reason = insteadOfResult(decision);
    },
    /** Only what changed: messages are sent to hooks as text, and would come back without their tool calls. */
    llm_request: ({ specific }, { request }, payload) => {
      specific.llm_request = changedKeys(request, isRecord(payload) ? payload.llm_request : undefined);
    },
  },
  tools: {
    Bash: ["run_shell_command"],
    Read: ["read_file", "read_many_files"],
    Write: ["write_file"],
    Edit: ["replace"],
    LS: ["list_directory"],
    Glob: ["glob"],
    Grep: ["grep_search", "search_file_content"],
    WebFetch: ["web_fetch"],
    WebSearch: ["google_web_search"],
    Task: ["invoke_agent", "delegate_to_agent"],
    TodoWrite: ["write_todos"],
    AskUserQuestion: ["ask_user"],
    EnterPlanMode: ["enter_plan_mode"],
    ExitPlanMode: ["exit_plan_mode"],
  },
  tells: ({ tool_name, tool_response, ...fields }, { hook_event_name }) => {
    const mcp = mcpParts(tool_name);
    return {
      transcript_path: "",
      timestamp: new Date().toISOString(),
      ...(hook_event_name === "Stop" ? { stop_hook_active: false } : {}),
      ...fields,
      tool_name: mcp === undefined ? tool_name : `mcp_${mcp.server}_${mcp.tool}`,
      mcp_context: mcp === undefined ? undefined : { server_name: mcp.server, tool_name: mcp.tool },
      tool_response: shownResult(tool_response),
    };
  },
  write,
});

type Fields = Readonly<Record<string, unknown>>;

/** What a permission is asked for, of which its message says only "requires execution"; `undefined` where nothing tells. */
function askedIn(details: unknown): string | undefined {
  if (!isRecord(details)) return undefined;
  const { command, filePath, fileDiff, serverName, toolName, prompt } = details;
  const shown = (...parts: readonly unknown[]) => parts.filter((part) => typeof part === "string");
  const [asked] =
    [
      shown(command).map((line) => `run_shell_command: ${line}`),
      shown(filePath).map((file) => [file, ...shown(fileDiff)].join("\n")),
      shown(toolName).map((tool) => [...shown(serverName), tool].join(": ")),
      shown(prompt),
    ].find((texts) => texts.length > 0) ?? [];
  return asked;
}

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

function write(draft: Draft, native: string, losses: readonly Loss[]): NativeReply {
  const { top, messages } = draft;
  // It shows the message of a refused prompt in place of the reason.
  const why = native === "BeforeAgent" ? (top.stopReason ?? top.reason) : undefined;
  const lines = messages.length > 0 && typeof why === "string" ? [why, ...messages] : messages;
  return jsonReply({ ...draft, messages: [...new Set(lines)] }, native, losses);
}

export const gemini: Adapter = Object.assign(tableCodec(geminiTable), {
  projectVariable: "GEMINI_PROJECT_DIR",
  otherVariables: ["GEMINI_CLI", "GEMINI_SESSION_ID", "GEMINI_CWD", "GEMINI_PLANS_DIR"],
  usage: async (payload: NativePayload) => (await import("./transcript.ts")).geminiUsage(payload),
});
