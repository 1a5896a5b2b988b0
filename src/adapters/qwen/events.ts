import type { Decision } from "../../core/decide/decision.ts";
import type { AgentEvent, ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText } from "../codec/reply-forms.ts";

/** The ways to pass something on to Qwen Code. */
export const REPLY_FORMS = {
  ...COMMON_FORMS,
  /**
   * A verdict on a call. With several hooks the last `permissionDecision` counts, so that the allow of another one would
   * cancel ours; `continue: false` it can't cancel. Here that refuses the call and does not end the run.
   */
  lasting_deny: (draft, decision) => {
    COMMON_FORMS.permission(draft, decision);
    draft.top.continue = false;
    draft.top.stopReason = decision.reason ?? "Denied by a hook.";
  },
  /** The model reads the reason in place of the result. Context would be lost with the result. */
  instead_of_result: ({ top }, decision) => {
    top.continue = false;
    top.stopReason = replacement(decision);
  },
} as const satisfies Record<string, ReplyForm>;

export type ReplyFormName = keyof typeof REPLY_FORMS;

type QwenEvent = AgentEvent<ReplyFormName>;

function replacement(decision: Decision): string {
  const { reason, output } = decision;
  const text = reason ?? (typeof output === "string" ? output : (JSON.stringify(output) ?? ""));
  const parts = [text, contextText(decision)].filter((part) => part !== "");
  return parts.join("\n\n") || "The result is empty.";
}

const OBSERVED: QwenEvent = { says: {}, declares: { effects: [] } };

/** An event newer than this table may be a gate, and exit code 2 with a text refuses most gates. */
export const UNKNOWN_EVENT: QwenEvent = { says: { deny: "exit_2" }, declares: { effects: ["deny"] } };

/** Our name for a UserPromptSubmit without a prompt: it comes before every request with the results of tools. */
export const TOOL_RESULTS = "ToolResultsSubmit";

/** The events of Qwen Code 0.24.4, each with the replies it honours. `continue: false` nowhere ends a run that has begun. */
export const QWEN_EVENTS: Readonly<Record<string, QwenEvent>> = {
  SessionStart: { event: "SessionStart", says: { context: "additional_context" } },
  SessionEnd: { event: "SessionEnd", says: {}, documented: true },
  UserPromptSubmit: {
    event: "UserPromptSubmit",
    says: { deny: "block", context: "additional_context", abort: "stop" },
  },
  PreToolUse: { event: "PreToolUse", says: { ask: "permission", deny: "lasting_deny" } },
  PermissionRequest: {
    event: "PermissionRequest",
    says: { allow: "behavior", deny: "behavior", rewrite: "behavior_input" },
    documented: ["allow", "deny", "rewrite"],
  },
  PermissionDenied: { event: "PermissionDenied", adds: { by: "rule" }, says: {}, documented: true },
  PostToolUse: {
    event: "PostToolUse",
    says: { deny: "instead_of_result", rewrite: "instead_of_result", context: "additional_context" },
  },
  PostToolUseFailure: { event: "PostToolUseFailure", says: { context: "additional_context" } },
  PostToolBatch: { event: "PostToolBatch", says: { context: "additional_context" } },
  Stop: { event: "Stop", says: { keep_going: "block" } },
  StopFailure: { event: "Error", renames: { error: "error_type" }, says: {}, documented: true },
  SubagentStart: { event: "SubagentStart", says: {} },
  SubagentStop: { event: "SubagentStop", says: { keep_going: "block" } },
  PreCompact: { event: "PreCompact", says: {} },
  PostCompact: { event: "PostCompact", renames: { compact_summary: "summary" }, says: {} },
  Notification: { event: "Notification", says: {} },

  UserPromptExpansion: { says: {}, declares: { effects: [], about: "command_name" } },
  [TOOL_RESULTS]: OBSERVED,
  TodoCreated: OBSERVED,
  TodoCompleted: OBSERVED,
  MessageDisplay: OBSERVED,
  InstructionsLoaded: OBSERVED,
  SessionDelete: { ...OBSERVED, documented: true },
};

/** The events whose matcher compares the tool. */
export const TOOL_EVENTS: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
]);
