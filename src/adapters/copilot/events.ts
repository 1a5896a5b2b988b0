import type { AgentEvent } from "../codec/agent-table.ts";
import type { CopilotForm } from "./reply-forms.ts";

type CopilotEvent = AgentEvent<CopilotForm>;

const OBSERVED: CopilotEvent = { says: {}, declares: { effects: [] } };

/** Copilot skips an event that it does not know, so that this is only for one newer than the table. */
export const UNKNOWN_EVENT: CopilotEvent = {
  says: { deny: "permission" },
  declares: { effects: ["deny"] },
};

/**
 * The events of Copilot CLI 1.0.102 by the names with which `install` asks for them: with a capital letter, where
 * payloads name their event and are the same to the byte as those for hooks in Claude Code's settings.
 */
export const COPILOT_EVENTS: Readonly<Record<string, CopilotEvent>> = {
  SessionStart: { event: "SessionStart", says: { context: "additional_context" } },
  SessionEnd: { event: "SessionEnd", says: {} },
  UserPromptSubmit: {
    event: "UserPromptSubmit",
    says: { deny: "block", rewrite: "modified_prompt", context: "additional_context" },
  },
  PreToolUse: {
    event: "PreToolUse",
    says: {
      allow: "permission",
      ask: "permission",
      deny: "permission",
      rewrite: "modified_args",
      context: "additional_context",
    },
    documented: ["allow"],
  },
  PermissionRequest: {
    event: "PermissionRequest",
    says: { allow: "behavior", deny: "behavior" },
    documented: ["allow", "deny"],
  },
  PostToolUse: {
    event: "PostToolUse",
    says: { deny: "block", rewrite: "modified_result", context: "additional_context" },
  },
  PostToolUseFailure: { event: "PostToolUseFailure", says: { context: "additional_context" } },
  Stop: { event: "Stop", says: { keep_going: "block" } },
  SubagentStart: { event: "SubagentStart", says: {} },
  SubagentStop: { event: "SubagentStop", says: { keep_going: "block" } },
  ErrorOccurred: { event: "Error", says: {} },
  PreCompact: { event: "PreCompact", says: {} },
  Notification: { event: "Notification", documented: true, says: {} },
  // It comes behind PreToolUse, and no reply stops the call.
  PreMcpToolCall: OBSERVED,
  userPromptTransformed: OBSERVED,
};

/** The events whose matcher compares the tool. */
export const TOOL_EVENTS: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
]);
