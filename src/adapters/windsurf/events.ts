import type { AgentEvent, ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS } from "../codec/reply-forms.ts";

/** The one way to pass something on to Windsurf. It reads nothing that a hook writes to stdout. */
export const REPLY_FORMS = { exit_2: COMMON_FORMS.exit_2 } as const satisfies Record<string, ReplyForm>;

export type ReplyFormName = keyof typeof REPLY_FORMS;

type WindsurfEvent = AgentEvent<ReplyFormName>;

const CALL: WindsurfEvent = { event: "PreToolUse", says: { deny: "exit_2" } };
const RESULT: WindsurfEvent = { event: "PostToolUse", says: {} };
const OBSERVED: WindsurfEvent = { says: {}, declares: { effects: [] } };

/** An event newer than this table may be a gate. */
export const UNKNOWN_EVENT: WindsurfEvent = { says: { deny: "exit_2" }, declares: { effects: ["deny"] } };

/** The events of Windsurf, each with the replies that its documentation knows. */
export const WINDSURF_EVENTS: Readonly<Record<string, WindsurfEvent>> = {
  pre_user_prompt: { event: "UserPromptSubmit", says: { deny: "exit_2" } },
  pre_read_code: CALL,
  pre_write_code: CALL,
  pre_run_command: CALL,
  pre_mcp_tool_use: CALL,
  post_read_code: RESULT,
  post_write_code: RESULT,
  post_run_command: RESULT,
  post_mcp_tool_use: RESULT,
  /** It does not wait for these two. */
  post_cascade_response: { event: "Stop", says: {} },
  post_cascade_response_with_transcript: OBSERVED,
  post_setup_worktree: OBSERVED,
};
