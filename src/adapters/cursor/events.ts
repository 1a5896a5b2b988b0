import type { AgentEvent } from "../codec/agent-table.ts";
import type { CursorForm } from "./reply-forms.ts";

type CursorEvent = AgentEvent<CursorForm>;

const OBSERVED: CursorEvent = { says: {}, declares: { effects: [] } };

/** Cursor loads no file that names an event it does not know, so that this is only for one newer than the table. */
export const UNKNOWN_EVENT: CursorEvent = { says: { deny: "exit_2" }, declares: { effects: ["deny"] } };

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
    documented: true,
    says: { allow: "permission", deny: "permission", rewrite: "unchanged_input" },
  },
  postToolUse: {
    event: "PostToolUse",
    renames: { tool_output: "tool_response" },
    says: { deny: "feedback", context: "additional_context" },
  },
  postToolUseFailure: {
    event: "PostToolUseFailure",
    renames: { error_message: "error" },
    says: { context: "additional_context" },
  },
  stop: { event: "Stop", says: { keep_going: "followup" } },
  subagentStart: { event: "SubagentStart", documented: true, says: { deny: "permission" } },
  subagentStop: { event: "SubagentStop", documented: true, says: { keep_going: "followup" } },
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

/** The events whose matcher compares the tool. */
export const TOOL_EVENTS: ReadonlySet<string> = new Set(["preToolUse", "postToolUse", "postToolUseFailure"]);
