import type { AgentEvent } from "../codec/agent-table.ts";
import type { ReplyFormName } from "./reply-forms.ts";

/** Claude Code reads `continue: false`, for example, everywhere, but it ends the run only where `abort` is listed. */
type ClaudeEvent = AgentEvent<ReplyFormName>;

const TOOL_GATE = {
  allow: "permission",
  ask: "permission",
  deny: "permission",
  rewrite: "updated_input",
  context: "additional_context",
  abort: "stop",
} as const;

const OBSERVED: ClaudeEvent = { says: {}, declares: { effects: [] } };

/** An event newer than this table may be a gate, and exit code 2 refuses most gates. */
export const UNKNOWN_EVENT: ClaudeEvent = { says: { deny: "exit_2" }, declares: { effects: ["deny"] } };

/** The events of Claude Code 2.1.325, each with the replies it honours. */
export const CLAUDE_EVENTS: Readonly<Record<string, ClaudeEvent>> = {
  SessionStart: { event: "SessionStart", says: { context: "additional_context" } },
  SessionEnd: { event: "SessionEnd", says: {} },
  UserPromptSubmit: {
    event: "UserPromptSubmit",
    http: true,
    says: { deny: "block", context: "additional_context", abort: "stop" },
  },
  PreToolUse: { event: "PreToolUse", says: TOOL_GATE, http: true },
  PermissionRequest: {
    event: "PermissionRequest",
    http: true,
    says: { allow: "behavior", deny: "behavior", rewrite: "behavior_input", abort: "interrupt" },
    documented: ["abort"],
  },
  PermissionDenied: { event: "PermissionDenied", adds: { by: "classifier" }, says: {}, http: true },
  PostToolUse: {
    event: "PostToolUse",
    http: true,
    says: { deny: "block", rewrite: "updated_output", context: "additional_context", abort: "stop" },
  },
  PostToolUseFailure: {
    event: "PostToolUseFailure",
    says: { context: "additional_context" },
    http: true,
  },
  PostToolBatch: {
    event: "PostToolBatch",
    says: { context: "additional_context", abort: "stop" },
    http: true,
  },
  Stop: { event: "Stop", says: { keep_going: "block", abort: "stop" } },
  StopFailure: { event: "Error", renames: { error: "error_type" }, says: {} },
  SubagentStart: {
    event: "SubagentStart",
    says: { context: "additional_context" },
    context_for: "subagent",
  },
  SubagentStop: { event: "SubagentStop", says: { keep_going: "block" } },
  PreCompact: {
    event: "PreCompact",
    says: { deny: "block", context: "plain_text" },
    context_for: "compaction",
  },
  PostCompact: { event: "PostCompact", renames: { compact_summary: "summary" }, says: {} },
  PreModelSwitch: {
    event: "ModelSwitch",
    renames: { from_model: "old_model", to_model: "new_model" },
    says: { ask: "permission", deny: "permission" },
    documented: ["ask", "deny"],
  },
  Notification: { event: "Notification", says: {}, http: true },

  Setup: {
    says: { context: "additional_context" },
    declares: { effects: ["context"], about: "trigger" },
    documented: ["context"],
  },
  UserPromptExpansion: {
    says: { deny: "block", context: "additional_context", abort: "stop" },
    declares: { effects: ["deny", "context"], about: "command_name" },
    documented: ["deny", "context", "abort"],
  },
  PostModelSwitch: {
    says: { context: "additional_context" },
    declares: { effects: ["context"], about: "to_model" },
    documented: ["context"],
  },
  ConfigChange: {
    says: { deny: "block" },
    declares: { effects: ["deny"], about: "source" },
    documented: ["deny"],
  },
  TaskCreated: { says: { deny: "exit_2" }, declares: { effects: ["deny"] }, documented: ["deny"] },
  TaskCompleted: { says: { deny: "exit_2" }, declares: { effects: ["deny"] }, documented: ["deny"] },
  TeammateIdle: {
    documented: true,
    says: { keep_going: "exit_2", abort: "stop" },
    declares: { effects: ["keep_going"], refused_by: "keep_going" },
  },
  Elicitation: {
    says: { answer: "elicitation", deny: "decline" },
    declares: { effects: ["answer", "deny"], about: "mcp_server_name" },
  },
  ElicitationResult: {
    says: { answer: "elicitation", deny: "decline" },
    declares: { effects: ["answer", "deny"], about: "mcp_server_name" },
  },
  WorktreeCreate: {
    says: { answer: "path", deny: "exit_2" },
    declares: { effects: ["answer", "deny"], text_is: "answer" },
    documented: ["answer"],
  },
  MessageDisplay: {
    says: { rewrite: "display_content" },
    declares: { effects: ["rewrite"], rewrites: { delta: "output" } },
    documented: ["rewrite"],
  },
  InstructionsLoaded: OBSERVED,
  WorktreeRemove: OBSERVED,
  CwdChanged: OBSERVED,
  FileChanged: OBSERVED,
  DirectoryAdded: OBSERVED,
};

/** The events whose matcher compares the tool; only these can have a condition. */
export const TOOL_EVENTS: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
]);
