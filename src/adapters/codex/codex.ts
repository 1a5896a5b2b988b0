import { isRecord } from "../../core/base/json.ts";
import type { Adapter, Loss, NativePayload, NativeReply } from "../adapter.ts";
import { agentTable, type Draft } from "../codec/agent-table.ts";
import { mcpParts, resultText } from "../codec/payload-of.ts";
import { fieldsOf, lastTextsIn } from "../codec/read-usage.ts";
import { textOfParts } from "../codec/recorded-session.ts";
import { COMMON_FORMS, jsonOrExitCode, unseenMessages } from "../codec/reply-forms.ts";
import { tableCodec } from "../codec/table-codec.ts";

export const TOOL_EVENTS: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest", "PostToolUse"]);

export const codexTable = agentTable({
  name: "codex",
  title: "Codex",
  evidence: { version: "0.169.0", date: "2026-11-19" },
  // No hook can answer the tool that asks a question.
  asks: { question: "terminal", permission: { event: "PermissionRequest", dialog: "hidden" } },
  /** The events of Codex 0.166.0, each with the replies it honours. */
  events: {
    SessionStart: { event: "SessionStart", says: { context: "additional_context", abort: "stop" } },
    SessionEnd: { event: "SessionEnd", says: {} },
    UserPromptSubmit: {
      event: "UserPromptSubmit",
      says: { deny: "block", context: "additional_context", abort: "stop" },
    },
    // It observes only; it fires before every request.
    PreModelRequest: { event: "PreModelRequest", fields: ({ model }) => ({ request: { model } }), says: {} },
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
    Interrupt: { event: "Interrupt", says: {} },
  },
  unknown: { deny: "exit_2" },
  /** The ways to pass something on to Codex. It rejects a reply with a key it does not know, and then runs the tool. */
  forms: {
    permission: COMMON_FORMS.permission,
    block: COMMON_FORMS.block,
    stop: COMMON_FORMS.stop,
    additional_context: COMMON_FORMS.additional_context,
    exit_2: COMMON_FORMS.exit_2,
    /** A bare allow is an invalid reply: where it is heard, the call runs unasked anyway. */
    allow: () => undefined,
    /** A new input counts only together with an allow. */
    allowed_input: ({ specific }, { action, input }) => {
      if (action === "deny") return;
      specific.permissionDecision = "allow";
      specific.updatedInput = input;
    },
    behavior: ({ specific }, { action, reason }) => {
      specific.decision = action === "deny" ? { behavior: "deny", message: reason } : { behavior: "allow" };
    },
    /** The reason of a block takes the place of the result. It can't be empty: the old result would stay. */
    replaced_output: ({ top }, { action, output }) => {
      if (action === "deny") return;
      top.decision = "block";
      top.reason = (typeof output === "string" ? output : JSON.stringify(output)) || "The result is empty.";
    },
  },
  complete: ({ session_id, agent_id }) => ({
    // The session of a subagent's hooks is that of its parent.
    ...(typeof agent_id === "string" && typeof session_id === "string"
      ? { parent_agent_id: session_id }
      : {}),
  }),
  unfit: (effect, form, { input }, { native }) => {
    if (form === "allow")
      // With bypassPermissions it asks nobody, so that an allow has nothing to skip.
      return input !== undefined || (isRecord(native) && native.permission_mode === "bypassPermissions")
        ? false
        : "Codex does not take an allow on PreToolUse: it asks as it would without one. Hooks on PermissionRequest can allow.";
    return effect === "native";
  },
  tools: {
    Edit: ["apply_patch"],
    Write: ["apply_patch"],
    ApplyPatch: ["apply_patch"],
    Task: ["spawn_agent"],
    AskUserQuestion: ["request_user_input"],
    TodoWrite: ["update_plan"],
  },
  tells: (
    { tool_input, tool_response, ...fields },
    { session_id, turn_id = session_id, hook_event_name },
  ) => ({
    turn_id,
    transcript_path: null,
    model: "unknown",
    permission_mode: "default",
    ...(/Stop$/.test(hook_event_name) ? { stop_hook_active: false } : {}),
    ...fields,
    tool_input:
      fields.tool_name === "apply_patch" && isRecord(tool_input) ? patchFor(tool_input) : tool_input,
    tool_response:
      tool_response === undefined || mcpParts(fields.tool_name) !== undefined
        ? tool_response
        : resultText(tool_response),
  }),
  write: (draft, native, losses) =>
    IGNORED.has(native) ? unheard(draft, losses) : jsonOrExitCode(draft, native, losses),
});

/** The patch that does what a tool for one file does; what names no file stays as it is. */
function patchFor(input: NativePayload): NativePayload {
  const { file_path, content, old_string = "", new_string = "" } = input;
  if (typeof file_path !== "string") return input;
  const change =
    content === undefined
      ? `*** Update File: ${file_path}\n@@\n${lines("-", old_string)}${lines("+", new_string)}`
      : `*** Add File: ${file_path}\n${lines("+", content)}`;
  return { command: `*** Begin Patch\n${change}*** End Patch\n` };
}

function lines(mark: string, given: unknown): string {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  return text.replace(/\n$/, "").replaceAll(/^/gm, mark).concat("\n");
}

/** The events of which Codex reads no reply at all. */
const IGNORED: ReadonlySet<string> = new Set(["SessionEnd", "PreModelRequest"]);

function unheard({ messages }: Draft, losses: readonly Loss[]): NativeReply {
  if (messages.length === 0) return { stdout: "", stderr: "", exit_code: 0, losses };
  const unseen = unseenMessages("Codex shows no message of hooks on this event.");
  return { stdout: "", stderr: messages.join("\n"), exit_code: 0, losses: [...losses, unseen] };
}

export const codex: Adapter = Object.assign(tableCodec(codexTable), {
  otherVariables: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"],
  lastTexts: ({ transcript_path, last_assistant_message }: NativePayload) =>
    typeof last_assistant_message === "string"
      ? [last_assistant_message]
      : lastTextsIn(transcript_path, textOf),
  usage: async (payload: NativePayload) => (await import("./transcript.ts")).codexUsage(payload),
});

function textOf({ payload }: NativePayload): string {
  const { type, role, content } = fieldsOf(payload);
  return type === "message" && role === "assistant" ? textOfParts(content) : "";
}
