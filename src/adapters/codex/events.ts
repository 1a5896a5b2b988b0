import type { AgentEvent } from "../codec/agent-table.ts";
import type { CodexFormName } from "./reply-forms.ts";

type CodexEvent = AgentEvent<CodexFormName>;

/** An event newer than this table may be a gate, and exit code 2 refuses those that can be refused. */
export const UNKNOWN_EVENT: CodexEvent = { says: { deny: "exit_2" }, declares: { effects: ["deny"] } };

/** The events of Codex 0.166.0, each with the replies it honours. */
export const CODEX_EVENTS: Readonly<Record<string, CodexEvent>> = {
  SessionStart: { event: "SessionStart", says: { context: "additional_context", abort: "stop" } },
  SessionEnd: { event: "SessionEnd", says: {} },
  UserPromptSubmit: {
    event: "UserPromptSubmit",
    says: { deny: "block", context: "additional_context", abort: "stop" },
  },
  // It observes only; it fires before every request.
  PreModelRequest: { event: "PreModelRequest", says: {} },
  PreToolUse: {
    event: "PreToolUse",
    says: {
      allow: "allow",
      deny: "permission",
      rewrite: "allowed_input",
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
    says: { deny: "block", rewrite: "replaced_output", context: "additional_context" },
  },
  PreCompact: { event: "PreCompact", says: { abort: "stop" }, documented: ["abort"] },
  PostCompact: { event: "PostCompact", says: { abort: "stop" }, documented: ["abort"] },
  SubagentStart: {
    event: "SubagentStart",
    says: { context: "additional_context" },
    context_for: "subagent",
  },
  SubagentStop: {
    event: "SubagentStop",
    says: { keep_going: "block", abort: "stop" },
    documented: ["abort"],
  },
  Stop: { event: "Stop", says: { keep_going: "block", abort: "stop" } },
  Interrupt: { says: {}, declares: { effects: [], summary: "The user interrupted a turn of Codex." } },
};

/** The events whose matcher compares the tool. */
export const TOOL_EVENTS: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest", "PostToolUse"]);
