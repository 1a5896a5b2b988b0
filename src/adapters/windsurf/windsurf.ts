import { isRecord, listOf } from "../../core/base/json.ts";
import type { Adapter, Loss, NativePayload, NativeReply } from "../adapter.ts";
import { type AgentEvent, agentTable, type Draft } from "../codec/agent-table.ts";
import { COMMON_FORMS, unseenMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";

const OBSERVED: AgentEvent<never> = { says: {}, declares: { effects: [] } };

type Fields = Readonly<Record<string, unknown>>;

export const windsurfTable = agentTable({
  name: "windsurf",
  title: "Windsurf",
  evidence: { version: "Cascade Hooks", date: "2026-11-16", documented: true },
  asks: {},
  /** The events of Windsurf, each with the replies that its documentation knows. */
  events: {
    pre_user_prompt: {
      event: "UserPromptSubmit",
      fields: inInfo(({ user_prompt }) => ({ prompt: user_prompt })),
      says: { deny: "exit_2" },
    },
    pre_read_code: { event: "PreToolUse", fields: inInfo(ofRead), says: { deny: "exit_2" } },
    pre_write_code: { event: "PreToolUse", fields: inInfo(ofWrite), says: { deny: "exit_2" } },
    pre_run_command: { event: "PreToolUse", fields: inInfo(ofCommand), says: { deny: "exit_2" } },
    pre_mcp_tool_use: { event: "PreToolUse", fields: inInfo(ofMcp), says: { deny: "exit_2" } },
    post_read_code: { event: "PostToolUse", fields: inInfo(ofRead), says: {} },
    post_write_code: { event: "PostToolUse", fields: inInfo(ofWrite), says: {} },
    post_run_command: { event: "PostToolUse", fields: inInfo(ofCommand), says: {} },
    post_mcp_tool_use: {
      event: "PostToolUse",
      fields: inInfo((info) => ({ ...ofMcp(info), tool_response: info.mcp_result })),
      says: {},
    },
    /** It does not wait for these two. */
    post_cascade_response: {
      event: "Stop",
      fields: inInfo(({ response }) =>
        typeof response === "string" ? { last_assistant_message: response } : {},
      ),
      says: {},
    },
    post_cascade_response_with_transcript: OBSERVED,
    post_setup_worktree: OBSERVED,
  },
  unknown: { deny: "exit_2" },
  /** The one way to pass something on to Windsurf. It reads nothing that a hook writes to stdout. */
  forms: { exit_2: COMMON_FORMS.exit_2 },
  eventOf: ({ agent_action_name }) => (typeof agent_action_name === "string" ? agent_action_name : undefined),
  complete: ({ trajectory_id, execution_id }, folder) => ({
    session_id: trajectory_id,
    ...(typeof execution_id === "string" ? { turn_id: execution_id } : {}),
    // No payload names the workspace, but hooks start in its folder. That of a command may be any.
    cwd: folder,
  }),
  write,
});

/** Reads the fields of our event from `tool_info`. Without it they are missing, and a gate is refused. */
function inInfo(read: (info: Fields) => Fields) {
  return ({ tool_info }: NativePayload): Fields => (isRecord(tool_info) ? read(tool_info) : {});
}

function ofRead({ file_path }: Fields): Fields {
  return { tool_name: "Read", tool_input: { file_path } };
}

/** It has one event for new files and for changes; only a new one replaces nothing. */
function ofWrite({ file_path, edits }: Fields): Fields {
  const all = listOf(edits);
  const [first, ...others] = all.map((edit) => (isRecord(edit) ? edit : {}));
  if (first === undefined || others.length > 0)
    return { tool_name: "Edit", tool_input: { file_path, edits } };
  const { old_string, new_string } = first;
  return old_string === ""
    ? { tool_name: "Write", tool_input: { file_path, content: new_string } }
    : { tool_name: "Edit", tool_input: { file_path, old_string, new_string } };
}

function ofCommand({ command_line, cwd }: Fields): Fields {
  return { tool_name: "Bash", tool_input: { command: command_line, cwd } };
}

function ofMcp({ mcp_server_name, mcp_tool_name, mcp_tool_arguments }: Fields): Fields {
  return typeof mcp_server_name === "string" && typeof mcp_tool_name === "string"
    ? {
        tool_name: `mcp__${mcp_server_name}__${mcp_tool_name}`,
        tool_input: mcp_tool_arguments,
      }
    : {};
}

/** The events for which it does not show what a hook writes. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  "pre_user_prompt",
  "post_cascade_response",
  "post_cascade_response_with_transcript",
]);

/** With `show_output` the user reads stdout. The model reads stderr of a refusal. */
function write({ stderr, exit_code, messages }: Draft, native: string, losses: readonly Loss[]): NativeReply {
  const known = stderr.split("\n");
  const others = messages.flatMap((message) => message.split("\n")).filter((line) => !known.includes(line));
  const unseen =
    others.length > 0 && NOT_SHOWN.has(native)
      ? [unseenMessages(`Windsurf shows the user no message of a hook on ${native}.`)]
      : [];
  return { stdout: others.join("\n"), stderr, exit_code, losses: [...losses, ...unseen] };
}

export const windsurf: Adapter = tableCodec(windsurfTable);
