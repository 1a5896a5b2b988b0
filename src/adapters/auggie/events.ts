import type { AgentEvent, ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS } from "../codec/reply-forms.ts";

/** The ways to pass something on to Auggie. */
export const REPLY_FORMS = {
  /** Not `permissionDecision: deny`, which another hook cancels by failing. */
  exit_2: COMMON_FORMS.exit_2,
  updated_input: COMMON_FORMS.updated_input,
  additional_context: COMMON_FORMS.additional_context,
} as const satisfies Record<string, ReplyForm>;

export type ReplyFormName = keyof typeof REPLY_FORMS;

type AuggieEvent = AgentEvent<ReplyFormName>;

/** An event newer than this table may be a gate. */
export const UNKNOWN_EVENT: AuggieEvent = { says: { deny: "exit_2" }, declares: { effects: ["deny"] } };

/** The events of Auggie 0.36.0. It runs those without a reply form in the background and reads no reply. */
export const AUGGIE_EVENTS: Readonly<Record<string, AuggieEvent>> = {
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
};

/** The events whose matcher compares the tool. */
export const TOOL_EVENTS: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse"]);
