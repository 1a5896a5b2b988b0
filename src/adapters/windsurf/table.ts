import { isRecord, listOf } from "../../core/base/json.ts";
import type { Loss, NativePayload, NativeReply } from "../adapter.ts";
import type { AgentTable, Draft } from "../codec/agent-table.ts";
import { unseenMessages } from "../codec/reply-forms.ts";
import { REPLY_FORMS, type ReplyFormName, UNKNOWN_EVENT, WINDSURF_EVENTS } from "./events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Everything about Windsurf's payloads and replies, by its documentation: the program was not run. */
export const windsurfTable: AgentTable<ReplyFormName> = {
  name: "windsurf",
  title: "Windsurf",
  evidence: { version: "Cascade Hooks", date: "2026-11-16", documented: true },
  events: WINDSURF_EVENTS,
  unknown: UNKNOWN_EVENT,
  forms: REPLY_FORMS,
  eventOf: ({ agent_action_name }) => (typeof agent_action_name === "string" ? agent_action_name : undefined),
  complete: (native, payload) => {
    const { trajectory_id, execution_id, tool_info } = payload;
    return {
      session_id: trajectory_id,
      ...(typeof execution_id === "string" ? { turn_id: execution_id } : {}),
      // No payload names the workspace, but hooks start in its folder. That of a command may be any.
      cwd: process.cwd(),
      ...(isRecord(tool_info) && Object.hasOwn(COMPLETED, native) ? COMPLETED[native]?.(tool_info) : {}),
    };
  },
  write,
};

/** The fields of our event, from `tool_info`. */
const COMPLETED: Readonly<Record<string, (info: NativePayload) => Fields>> = {
  pre_user_prompt: ({ user_prompt }) => ({ prompt: user_prompt }),
  pre_read_code: ofRead,
  post_read_code: ofRead,
  pre_write_code: ofWrite,
  post_write_code: ofWrite,
  pre_run_command: ofCommand,
  post_run_command: ofCommand,
  pre_mcp_tool_use: ofMcp,
  post_mcp_tool_use: (info) => ({ ...ofMcp(info), tool_response: info.mcp_result }),
  post_cascade_response: ({ response }) =>
    typeof response === "string" ? { last_assistant_message: response } : {},
};

function ofRead({ file_path }: NativePayload): Fields {
  return { tool_name: "Read", tool_input: { file_path } };
}

/** It has one event for new files and for changes; only a new one replaces nothing. */
function ofWrite({ file_path, edits }: NativePayload): Fields {
  const all = listOf(edits);
  const [first, ...others] = all.map((edit) => (isRecord(edit) ? edit : {}));
  if (first === undefined || others.length > 0)
    return { tool_name: "Edit", tool_input: { file_path, edits } };
  const { old_string, new_string } = first;
  return old_string === ""
    ? { tool_name: "Write", tool_input: { file_path, content: new_string } }
    : { tool_name: "Edit", tool_input: { file_path, old_string, new_string } };
}

function ofCommand({ command_line, cwd }: NativePayload): Fields {
  return { tool_name: "Bash", tool_input: { command: command_line, cwd } };
}

function ofMcp({ mcp_server_name, mcp_tool_name, mcp_tool_arguments }: NativePayload): Fields {
  return typeof mcp_server_name === "string" && typeof mcp_tool_name === "string"
    ? { tool_name: `mcp__${mcp_server_name}__${mcp_tool_name}`, tool_input: mcp_tool_arguments }
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
