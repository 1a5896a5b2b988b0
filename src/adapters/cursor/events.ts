import { isRecord, parseJson } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import type { NativePayload } from "../adapter.ts";
import type { AgentEvent, ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText } from "../codec/reply-forms.ts";

/** The ways to pass something on to Cursor. All keys are at the top. */
export const CURSOR_FORMS = {
  exit_2: COMMON_FORMS.exit_2,
  /** The user and the model read `user_message`; nobody reads `agent_message`. */
  permission: ({ top }, { action, reason }) => {
    top.permission = action;
    if (action === "deny") top.user_message = reason ?? "Denied by a hook.";
  },
  continue_false: ({ top }, { reason, abort }) => {
    top.continue = false;
    top.user_message = abort?.reason ?? reason ?? "Stopped by a hook.";
  },
  updated_input: ({ top }, { input }) => {
    top.updated_input = input;
  },
  /** The input is as it has to be already. */
  unchanged_input: () => undefined,
  additional_context: ({ top }, decision) => {
    top.additional_context = [top.additional_context ?? [], contextText(decision)].flat().join("\n\n");
  },
  /** A refusal of what has happened: the model reads why. */
  feedback: ({ top }, { reason }) => {
    top.additional_context = reason ?? "Refused by a hook.";
  },
  followup: ({ top }, { reason, keep_going }) => {
    top.followup_message = keep_going?.reason ?? reason ?? "Go on.";
  },
} as const satisfies Record<string, ReplyForm>;

export type CursorForm = keyof typeof CURSOR_FORMS;

type CursorEvent = AgentEvent<CursorForm>;

const OBSERVED: CursorEvent = { says: {}, declares: { effects: [] } };

/**
 * The events of Cursor, each with the replies that its agent in @cursor/sdk honours. `ask` is nowhere: the agent runs
 * what a hook asks about.
 */
export const CURSOR_EVENTS: Readonly<Record<string, CursorEvent>> = {
  sessionStart: {
    event: "SessionStart",
    says: { context: "additional_context", abort: "continue_false" },
    // The agent of the SDK was not seen to pass it on.
    documented: ["context"],
  },
  sessionEnd: { event: "SessionEnd", says: {} },
  // The agent of the SDK sends the prompt whatever a hook replies. The editor honours it by its documentation.
  beforeSubmitPrompt: { event: "UserPromptSubmit", says: {} },
  preToolUse: {
    event: "PreToolUse",
    fields: ({ tool_name }) => ({ tool_name: toolName(tool_name, undefined) }),
    says: {
      allow: "permission",
      deny: "permission",
      rewrite: "updated_input",
      context: "additional_context",
    },
    documented: ["allow"],
  },
  // It follows preToolUse, which does not name the server of the tool.
  beforeMCPExecution: {
    event: "PreToolUse",
    follows: "preToolUse",
    fields: ({ tool_name, tool_input, mcp_server_name, command, url }) => ({
      tool_name:
        typeof tool_name === "string"
          ? toolName(`MCP:${tool_name}`, textOf(mcp_server_name) ?? textOf(url) ?? textOf(command))
          : tool_name,
      tool_input: parsedObject(tool_input) ?? tool_input,
    }),
    documented: true,
    says: { allow: "permission", deny: "permission", rewrite: "unchanged_input" },
  },
  postToolUse: {
    event: "PostToolUse",
    fields: ({ tool_name, tool_output }) => ({
      tool_name: toolName(tool_name, undefined),
      tool_response: parsedObject(tool_output) ?? tool_output,
    }),
    renames: { tool_output: "tool_response" },
    says: { deny: "feedback", context: "additional_context" },
  },
  postToolUseFailure: {
    event: "PostToolUseFailure",
    fields: ({ tool_name }) => ({ tool_name: toolName(tool_name, undefined) }),
    renames: { error_message: "error" },
    says: { context: "additional_context" },
  },
  stop: {
    event: "Stop",
    fields: ({ loop_count }) => ({ stop_hook_active: typeof loop_count === "number" && loop_count > 0 }),
    says: { keep_going: "followup" },
  },
  subagentStart: {
    event: "SubagentStart",
    fields: ofSubagent,
    documented: true,
    says: { deny: "permission" },
  },
  subagentStop: {
    event: "SubagentStop",
    fields: ofSubagent,
    documented: true,
    says: { keep_going: "followup" },
  },
  preCompact: { event: "PreCompact", documented: true, says: {} },
  afterAgentResponse: { event: "PostModelResponse", documented: true, says: {} },

  beforeShellExecution: {
    says: { deny: "permission" },
    declares: { effects: ["deny"], about: "command" },
  },
  beforeReadFile: {
    says: { deny: "permission" },
    declares: { effects: ["deny"], about: "file_path" },
    documented: ["deny"],
  },
  beforeTabFileRead: {
    documented: true,
    says: { deny: "permission" },
    declares: { effects: ["deny"], about: "file_path" },
  },
  afterShellExecution: OBSERVED,
  afterMCPExecution: { ...OBSERVED, documented: true },
  afterFileEdit: OBSERVED,
  afterTabFileEdit: { ...OBSERVED, documented: true },
  afterAgentThought: { ...OBSERVED, documented: true },
  workspaceOpen: { ...OBSERVED, documented: true },
};

export const TOOL_EVENTS: ReadonlySet<string> = new Set(["preToolUse", "postToolUse", "postToolUseFailure"]);

type Fields = Readonly<Record<string, unknown>>;

function ofSubagent({
  subagent_id,
  subagent_type,
  parent_conversation_id,
  loop_count,
}: NativePayload): Fields {
  return {
    agent_id: textOf(subagent_id),
    agent_type: textOf(subagent_type),
    parent_agent_id: textOf(parent_conversation_id),
    stop_hook_active: typeof loop_count === "number" && loop_count > 0,
  };
}

/** `MCP:say` is a tool whose server only beforeMCPExecution names. */
function toolName(name: unknown, server: string | undefined): unknown {
  if (typeof name !== "string" || !name.startsWith("MCP:")) return name;
  return `mcp__${(server ?? "cursor").replaceAll(/[^\w-]+/g, "_")}__${name.slice(4)}`;
}

export function parsedObject(text: unknown): Fields | undefined {
  const value = typeof text === "string" ? parseJson(text) : undefined;
  return isRecord(value) ? value : undefined;
}
