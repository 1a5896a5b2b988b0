import type { AgentEvent } from "../codec/agent-table.ts";
import type { ReplyFormName } from "./reply-forms.ts";

type ClineEvent = AgentEvent<ReplyFormName>;

/** An event newer than this table may be a gate. */
export const UNKNOWN_EVENT: ClineEvent = {
  says: { deny: "cancel", abort: "cancel" },
  declares: { effects: ["deny"] },
};

/**
 * The events of Cline CLI 3.0.65 by the names of their files; behind a dot, what tells apart the two that share a file. It
 * waits for a reply only before and after a call, and was never seen to run UserPromptSubmit and PreCompact.
 */
export const CLINE_EVENTS: Readonly<Record<string, ClineEvent>> = {
  TaskStart: { event: "SessionStart", adds: { source: "startup" }, says: {} },
  "TaskStart.subagent": { event: "SubagentStart", says: {} },
  TaskResume: { event: "SessionStart", adds: { source: "resume" }, says: {}, documented: true },
  PreToolUse: {
    event: "PreToolUse",
    says: { deny: "refuse", rewrite: "override_input", context: "context", abort: "cancel" },
  },
  PostToolUse: {
    event: "PostToolUse",
    says: { deny: "feedback", context: "context", abort: "cancel" },
  },
  // A call whose input the tool rejects is refused before, so that no test makes one fail.
  "PostToolUse.error": {
    event: "PostToolUseFailure",
    says: { context: "context", abort: "cancel" },
    documented: ["context", "abort"],
  },
  TaskComplete: { event: "Stop", says: {} },
  "TaskComplete.subagent": { event: "SubagentStop", says: {} },
  TaskError: { event: "Error", says: {}, documented: true },
  TaskCancel: { says: {}, declares: { effects: [] }, documented: true },
  SessionShutdown: { event: "SessionEnd", says: {}, documented: true },
};

/** The file of an event, by the name that its payload has. */
export const FILES: ReadonlyMap<string, string> = new Map([
  ["agent_start", "TaskStart"],
  ["agent_resume", "TaskResume"],
  ["agent_abort", "TaskCancel"],
  ["agent_end", "TaskComplete"],
  ["agent_error", "TaskError"],
  ["tool_call", "PreToolUse"],
  ["tool_result", "PostToolUse"],
  ["prompt_submit", "UserPromptSubmit"],
  ["session_shutdown", "SessionShutdown"],
]);
