import { isRecord } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import type { NativePayload } from "../adapter.ts";
import type { AgentEvent, ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText } from "../codec/reply-forms.ts";

/** The ways to pass something on to Copilot. All keys are at the top: there it reads them in both of its dialects. */
export const COPILOT_FORMS = {
  block: COMMON_FORMS.block,
  permission: ({ top }, { action, reason }) => {
    top.permissionDecision = action;
    if (reason !== undefined) top.permissionDecisionReason = reason;
  },
  behavior: ({ top }, { action, reason }) => {
    top.behavior = action === "deny" ? "deny" : "allow";
    if (action === "deny" && reason !== undefined) top.message = reason;
  },
  modified_args: ({ top }, { input }) => {
    top.modifiedArgs = input;
  },
  modified_prompt: ({ top }, { prompt }) => {
    top.modifiedPrompt = prompt;
  },
  modified_result: ({ top }, { output }) => {
    top.modifiedResult = { resultType: "success", textResultForLlm: resultText(output) };
  },
  additional_context: ({ top }, decision) => {
    top.additionalContext = contextText(decision);
  },
} as const satisfies Record<string, ReplyForm>;

export type CopilotForm = keyof typeof COPILOT_FORMS;

/** A result as the model reads it: Copilot has texts only. */
function resultText(output: unknown): string {
  if (typeof output === "string") return output;
  const text: unknown = isRecord(output)
    ? (output.text_result_for_llm ?? output.textResultForLlm)
    : undefined;
  return typeof text === "string" ? text : JSON.stringify(output);
}

type CopilotEvent = AgentEvent<CopilotForm>;

const OBSERVED: CopilotEvent = { says: {}, declares: { effects: [] } };

/**
 * The events of Copilot CLI 1.0.102 by the names with which `install` asks for them: with a capital letter, where
 * payloads name their event and are the same to the byte as those for hooks in Claude Code's settings.
 */
export const COPILOT_EVENTS: Readonly<Record<string, CopilotEvent>> = {
  SessionStart: {
    event: "SessionStart",
    fields: ({ source }) => ({ source: source === "new" ? "startup" : source }),
    says: { context: "additional_context" },
  },
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
  SubagentStart: { event: "SubagentStart", fields: ofSubagent, says: {} },
  SubagentStop: {
    event: "SubagentStop",
    fields: ({ response, ...payload }) => ({
      ...ofSubagent(payload),
      ...texts({ last_assistant_message: response }),
    }),
    says: { keep_going: "block" },
  },
  ErrorOccurred: {
    event: "Error",
    fields: ({ error, errorContext, error_context = errorContext }) => {
      const { name, message } = isRecord(error) ? error : { name: undefined, message: error };
      return {
        error_type: textOf(error_context) ?? textOf(name) ?? "unknown",
        error_message: textOf(message) ?? textOf(name) ?? "unknown",
      };
    },
    says: {},
  },
  PreCompact: { event: "PreCompact", says: {} },
  Notification: {
    event: "Notification",
    fields: ({ message, title }) => ({ message: textOf(message) ?? textOf(title) ?? "" }),
    documented: true,
    says: {},
  },
  // It comes behind PreToolUse, and no reply stops the call.
  PreMcpToolCall: OBSERVED,
  userPromptTransformed: OBSERVED,
};

export const TOOL_EVENTS: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
]);

/** Names in the other spelling that are more than another first letter. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["userPromptSubmitted", "UserPromptSubmit"],
  ["agentStop", "Stop"],
]);

/** Fields that only one event has, the most telling first: without `hook_event_name`, nothing else names the event. */
const BY_FIELDS: readonly (readonly [event: string, fields: readonly string[]])[] = [
  ["PreMcpToolCall", ["serverName", "arguments"]],
  ["PostToolUse", ["toolResult"]],
  ["PostToolUseFailure", ["toolName", "error"]],
  ["PreToolUse", ["toolArgs"]],
  ["PermissionRequest", ["toolName", "toolInput"]],
  ["PreToolUse", ["toolName"]],
  ["userPromptTransformed", ["transformedPrompt"]],
  ["UserPromptSubmit", ["prompt"]],
  ["ErrorOccurred", ["error"]],
  ["SubagentStop", ["agentName", "stopReason"]],
  ["SubagentStop", ["agentName", "stop_reason"]],
  ["Stop", ["stopReason"]],
  ["SubagentStart", ["agentName"]],
  ["PreCompact", ["trigger"]],
  ["SessionStart", ["source"]],
  ["SessionEnd", ["reason"]],
];

/** The event of a payload in either dialect; `undefined` when nothing in it tells. */
export function copilotEvent(payload: NativePayload): string | undefined {
  const { hook_event_name, hookName } = payload;
  const name = hook_event_name ?? hookName;
  if (typeof name === "string") return withCapital(name);
  if (name !== undefined) return undefined;
  return BY_FIELDS.find(([, fields]) => fields.every((field) => payload[field] !== undefined))?.[0];
}

/** The name of an event as `install` asks for it. */
export function withCapital(name: string): string {
  const capital = OTHER_NAMES.get(name) ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return Object.hasOwn(COPILOT_EVENTS, capital) ? capital : name;
}

type Fields = Readonly<Record<string, unknown>>;

function ofSubagent({ agentName, agent_name = agentName }: NativePayload): Fields {
  return texts({ agent_type: agent_name });
}

/** Only what is a text: otherwise the field is missing. */
export function texts(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => textOf(value) !== undefined));
}
