import { isRecord, parseJson } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import type { NativeKeys } from "../../core/events/outcomes.ts";
import { PASSED_ON } from "../../shared/contracts/passed-on.ts";
import type { AgentEvent, Draft, ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText } from "../codec/reply-forms.ts";
import { fittedOutput } from "./fit-output.ts";

export const REPLY_FORMS = {
  ...COMMON_FORMS,
  /** A refused PermissionRequest that also ends the run. */
  interrupt: ({ specific }, { reason, abort }) => {
    const message = reason ?? abort?.reason;
    specific.decision = {
      behavior: "deny",
      message,
      interrupt: true,
    };
  },
  updated_output: ({ specific }, { output }, payload) => {
    specific.updatedToolOutput = fittedOutput(output, payload)?.output;
  },
  display_content: ({ specific }, { output }) => {
    specific.displayContent = output;
  },
  plain_text: (draft, decision) => {
    const text = contextText(decision);
    // It would read an object in JSON as a reply.
    draft.text = isRecord(parseJson(text)) ? `Context:\n${text}` : text;
  },
  /** `{ action: accept | decline | cancel, content? }`. */
  elicitation: ({ specific }, { answer, action }) => {
    if (isRecord(answer) && action !== "deny")
      Object.assign(specific, { action: answer.action, content: answer.content });
  },
  /** There is no place for the reason. */
  decline: ({ specific, messages }, { reason }) => {
    specific.action = "decline";
    if (reason !== undefined) messages.push(reason);
  },
  /** WorktreeCreate reads the path from stdout as it is. */
  path: (draft, { answer }) => {
    draft.text = typeof answer === "string" ? answer : "";
  },
} as const satisfies Record<string, ReplyForm>;

/** Adds what hooks say to Claude Code alone. A deferred call is one that asks; nothing else changes what was decided. */
export function addPassedOn(
  { top, specific }: Draft,
  { hookSpecificOutput: own, ...others }: NativeKeys,
): void {
  Object.assign(top, passedOn(others));
  if (!isRecord(own)) return;
  Object.assign(specific, passedOn(own));
  if (own.permissionDecision === "defer" && specific.permissionDecision === "ask")
    specific.permissionDecision = "defer";
  const { decision } = specific;
  if (isRecord(own.decision) && isRecord(decision) && decision.behavior === "allow")
    specific.decision = { ...decision, ...passedOn(own.decision) };
}

function passedOn(keys: NativeKeys): NativeKeys {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => PASSED_ON.has(key)));
}

export type ReplyFormName = keyof typeof REPLY_FORMS;

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

/** The events of Claude Code 2.1.325, each with the replies it honours. */
export const CLAUDE_EVENTS: Readonly<Record<string, ClaudeEvent>> = {
  SessionStart: { event: "SessionStart", says: { context: "additional_context" } },
  SessionEnd: { event: "SessionEnd", says: {} },
  UserPromptSubmit: {
    event: "UserPromptSubmit",
    says: { deny: "block", context: "additional_context", abort: "stop" },
  },
  PreToolUse: { event: "PreToolUse", says: TOOL_GATE },
  PermissionRequest: {
    event: "PermissionRequest",
    says: { allow: "behavior", deny: "behavior", rewrite: "behavior_input", abort: "interrupt" },
    documented: ["abort"],
  },
  PermissionDenied: { event: "PermissionDenied", adds: { by: "classifier" }, says: {} },
  PostToolUse: {
    event: "PostToolUse",
    says: { deny: "block", rewrite: "updated_output", context: "additional_context", abort: "stop" },
  },
  PostToolUseFailure: {
    event: "PostToolUseFailure",
    says: { context: "additional_context" },
  },
  PostToolBatch: {
    event: "PostToolBatch",
    says: { context: "additional_context", abort: "stop" },
  },
  Stop: { event: "Stop", says: { keep_going: "block", abort: "stop" } },
  StopFailure: {
    event: "Error",
    renames: { error: "error_type" },
    fields: ({ error, error_details, last_assistant_message }) => ({
      error_type: textOf(error) ?? "unknown",
      error_message: textOf(error_details) ?? textOf(last_assistant_message) ?? textOf(error) ?? "unknown",
    }),
    says: {},
  },
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
    adds: { triggered_by: "user" },
    says: { ask: "permission", deny: "permission" },
    documented: ["ask", "deny"],
  },
  Notification: {
    event: "Notification",
    fields: ({ message, title }) => ({ message: textOf(message) ?? textOf(title) ?? "" }),
    says: {},
  },

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
