import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { FilePart } from "../../core/contracts/content.ts";
import type { ToolInput } from "../../core/contracts/tool-types.ts";
import type { Usage } from "../../core/contracts/transcript.ts";
import type { ContextLifetime } from "../../core/events/outcomes.ts";

/** What a provider needs back with a part it sent: signatures of its reasoning, for example. */
export type ProviderMetadata = SharedV3ProviderMetadata;

/** Text, as the user or the model wrote it. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly provider_metadata?: ProviderMetadata;
}

/** What the model thought before it answered. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly provider_metadata?: ProviderMetadata;
}

/** A tool the model called. Every call has exactly one result later in the conversation. */
export interface ToolCallPart {
  readonly type: "tool_call";
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly tool_input: ToolInput;
  /** What the model sent when it was not a JSON object; the input is empty then. */
  readonly invalid_input?: string;
  /** The answer was cut off in the middle of the input. */
  readonly cut_off?: true;
  readonly provider_metadata?: ProviderMetadata;
}

/** Why a call has a result although its tool did not finish. */
export type MissingOutcome = "denied" | "interrupted" | "not_run";

/** The result of a tool call. */
export interface ToolResultPart {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly tool_name: string;
  /** The text. It has a mark in place of each file. */
  readonly content: string;
  /** Images and files, in the order of their marks. */
  readonly files?: readonly FilePart[];
  readonly is_error?: true;
  readonly outcome?: MissingOutcome;
  /** The work continues in the background: a later message `delivers` its result. */
  readonly in_background?: BackgroundMark;
  /** A skill was loaded whose hooks hold for the rest of the conversation. */
  readonly skill_hooks?: { readonly name: string; readonly file: string };
}

/** What a tool's work leaves behind that a resumed agent must know. */
export type ResultMarks = Pick<ToolResultPart, "in_background" | "skill_hooks">;

/** Work in the background, and the subagent that does it, if one does. */
export interface BackgroundMark {
  readonly agent_id?: string;
}

/** Text a hook added for the model. Its place in the conversation never changes. */
export interface ContextPart {
  readonly type: "context";
  readonly text: string;
  readonly hook: string;
  readonly role: "user" | "system";
}

/** Text of a hook that joined or started the turn. */
export interface HookInputPart {
  readonly type: "hook_input";
  readonly hook: string;
  readonly text: string;
}

type MessageBase = {
  /** Unique; a message is written once and never changed. */
  readonly id: string;
  readonly turn_id: string;
  /** ISO time. */
  readonly created_at: string;
};

/** Text for the model from the user, a hook or the runtime itself. */
export type MessageFromUser = MessageBase & {
  readonly role: "user";
  readonly source: "user" | "hook" | "runtime";
  /** How long the model sees it. Default: for the whole session. */
  readonly lifetime?: ContextLifetime;
  /** Set on a summary, which replaces everything up to the message with this id. */
  readonly summary_until?: string;
  /** It has the result of work in the background, which the call with this id began. */
  readonly delivers?: string;
  readonly parts: readonly (TextPart | FilePart | ContextPart | HookInputPart)[];
};

/**
 * How an answer ended: `stop` (it is whole), `tool_calls`, `length` (cut off at its longest length), `refusal`,
 * `context_overflow` (cut off because the context was full), `pause` (the provider paused; the agent goes on), `other`.
 */
export type FinishReason =
  | "stop"
  | "tool_calls"
  | "length"
  | "refusal"
  | "context_overflow"
  | "pause"
  | "other";

/** Why the turn ended here other than by the model's own choice. */
export type AnswerEnd = "limit" | "cancelled" | "error" | "denied" | "aborted";

/** What the model answered. */
export type MessageFromAssistant = MessageBase & {
  readonly role: "assistant";
  readonly model: string;
  readonly finish_reason?: FinishReason;
  readonly ended?: AnswerEnd;
  readonly usage?: Usage;
  readonly parts: readonly (TextPart | ReasoningPart | ToolCallPart)[];
};

/** The result of one tool call. Each has its own message, so that none is lost when the next call never ends. */
export type MessageFromTool = MessageBase & {
  readonly role: "tool";
  readonly parts: readonly [ToolResultPart];
};

/**
 * A message of the conversation: plain JSON data, frozen, with an id. Transcripts hold it, hooks see it, and prompts are
 * made from it.
 */
export type AgentMessage = MessageFromUser | MessageFromAssistant | MessageFromTool;

export function textOf({ parts }: Pick<MessageFromAssistant, "parts">): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

export function callsOf({ parts }: MessageFromAssistant): readonly ToolCallPart[] {
  return parts.filter((part) => part.type === "tool_call");
}

export function callsIn(messages: readonly AgentMessage[]): number {
  const calls = messages.map((message) => (message.role === "assistant" ? callsOf(message).length : 0));
  return calls.reduce((sum, count) => sum + count, 0);
}

/** The calls of some messages that have no result there. */
export function openCalls(messages: readonly AgentMessage[]): readonly ToolCallPart[] {
  const open = new Map<string, ToolCallPart>();
  for (const { parts } of messages)
    for (const part of parts) {
      if (part.type === "tool_call") open.set(part.tool_use_id, part);
      else if (part.type === "tool_result") open.delete(part.tool_use_id);
    }
  return [...open.values()];
}

/** A message that replaces earlier ones. */
export type Summary = MessageFromUser & { readonly summary_until: string };

/** True for a summary: neither the user nor the model wrote it, so nobody has to answer it. */
export function isSummary(message: AgentMessage): message is Summary {
  return message.role === "user" && message.summary_until !== undefined;
}
