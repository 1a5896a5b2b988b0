import { textOf } from "../../core/base/text.ts";
import type { Adapter, NativePayload } from "../adapter.ts";
import { type AgentEvent, agentTable, subagentFields } from "../codec/agent-table.ts";
import { shownResult } from "../codec/payload-of.ts";
import { COMMON_FORMS, insteadOfResult, jsonOrExitCode } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";

const OBSERVED: AgentEvent<never> = { says: {}, declares: { effects: [] } };

/** Our name for a UserPromptSubmit without a prompt: it comes before every request with the results of tools. */
const TOOL_RESULTS = "ToolResultsSubmit";

export const TOOL_EVENTS: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
]);

export const qwenTable = agentTable({
  name: "qwen",
  title: "Qwen Code",
  evidence: { version: "0.24.4", date: "2026-11-16" },
  asks: {
    question: "terminal",
    plan_approval: "terminal",
    permission: { event: "PermissionRequest", dialog: "hidden", documented: true },
  },
  /** The events of Qwen Code 0.24.4, each with the replies it honours. `continue: false` nowhere ends a run that has begun. */
  events: {
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
    StopFailure: {
      event: "Error",
      renames: { error: "error_type" },
      fields: ({ error, error_details }) => ({
        error_type: textOf(error) ?? "unknown",
        error_message: textOf(error_details) ?? textOf(error) ?? "unknown",
      }),
      says: {},
      documented: true,
    },
    SubagentStart: { event: "SubagentStart", says: {} },
    SubagentStop: { event: "SubagentStop", says: { keep_going: "block" } },
    PreCompact: { event: "PreCompact", says: {} },
    PostCompact: { event: "PostCompact", renames: { compact_summary: "summary" }, says: {} },
    Notification: {
      event: "Notification",
      fields: ({ message, title }) => ({
        message: typeof message === "string" ? message : typeof title === "string" ? title : "",
      }),
      says: {},
    },

    UserPromptExpansion: { says: {}, declares: { effects: [], about: "command_name" } },
    [TOOL_RESULTS]: OBSERVED,
    TodoCreated: OBSERVED,
    TodoCompleted: OBSERVED,
    MessageDisplay: OBSERVED,
    InstructionsLoaded: OBSERVED,
    SessionDelete: { ...OBSERVED, documented: true },
  },
  unknown: { deny: "exit_2" },
  forms: {
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
    instead_of_result: ({ top }, decision) => {
      top.continue = false;
      top.stopReason = insteadOfResult(decision);
    },
  },
  eventOf: ({ hook_event_name, prompt, submitted_prompt }) => {
    if (typeof hook_event_name !== "string") return undefined;
    const isEmpty = hook_event_name === "UserPromptSubmit" && prompt === "" && submitted_prompt === undefined;
    return isEmpty ? TOOL_RESULTS : hook_event_name;
  },
  complete: subagentFields,
  // An input is part of an allow.
  unfit: (_, form, { action }) => form === "behavior_input" && action !== "allow",
  tools: {
    Bash: ["run_shell_command"],
    Read: ["read_file", "read_many_files"],
    Write: ["write_file"],
    Edit: ["edit"],
    NotebookEdit: ["notebook_edit"],
    LS: ["list_directory"],
    Glob: ["glob"],
    Grep: ["grep_search", "search_file_content"],
    WebFetch: ["web_fetch"],
    WebSearch: ["web_search"],
    Task: ["agent", "task"],
    TodoWrite: ["todo_write"],
    AskUserQuestion: ["ask_user_question"],
    EnterPlanMode: ["enter_plan_mode"],
    ExitPlanMode: ["exit_plan_mode"],
  },
  tells: ({ tool_response, ...fields }, { hook_event_name, error_message }) => ({
    transcript_path: "",
    timestamp: new Date().toISOString(),
    permission_mode: "default",
    ...(/Stop$/.test(hook_event_name) ? { stop_hook_active: false } : {}),
    ...fields,
    error_details: error_message,
    tool_response: shownResult(tool_response),
  }),
  write: jsonOrExitCode,
});

export const qwen: Adapter = Object.assign(tableCodec(qwenTable), {
  projectVariable: "QWEN_PROJECT_DIR",
  sessionVariable: "QWEN_CODE_SESSION_ID",
  otherVariables: ["QWEN_CODE"],
  usage: async (payload: NativePayload) => (await import("./transcript.ts")).qwenUsage(payload),
});
