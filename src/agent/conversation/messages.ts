import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { Usage } from "../../core/contracts/transcript.ts";
import type { ContextLifetime } from "../../core/events/outcomes.ts";
import type { ToolInput } from "../../core/events/payloads.ts";

/** What a provider wants back with a part it sent: signatures of its reasoning, for example. */
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
  /** What the model sent when it was no JSON object; the input is empty then. */
  readonly invalid_input?: string;
  readonly provider_metadata?: ProviderMetadata;
}

/** Why a call has a result though its tool did not come to its end. */
export type MissingOutcome = "denied" | "interrupted" | "not_run";

/** What came of a tool call. */
export interface ToolResultPart {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly content: string;
  readonly is_error?: true;
  readonly outcome?: MissingOutcome;
  /** The work goes on beside the loop: a later message, which `delivers` it, tells what came of it. */
  readonly in_background?: BackgroundMark;
}

/** What goes on beside the loop: when it is a subagent, which one. */
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

/** What goes to the model: the user's words, a hook's, or those of the runtime itself. */
export type MessageFromUser = MessageBase & {
  readonly role: "user";
  readonly source: "user" | "hook" | "runtime";
  /** How long the model sees it; absent: for the whole session. */
  readonly lifetime?: ContextLifetime;
  /** It is a summary that stands for everything up to the message with this id. */
  readonly summary_until?: string;
  /** It tells what came of work in the background, by the id of the call that began it. */
  readonly delivers?: string;
  readonly parts: readonly (TextPart | ContextPart | HookInputPart)[];
};

/** Why an answer is not simply what the model said. */
export type AnswerEnd = "limit" | "cancelled" | "error" | "denied" | "aborted";

/** What the model answered. */
export type MessageFromAssistant = MessageBase & {
  readonly role: "assistant";
  readonly model: string;
  readonly finish_reason?: string;
  /** Set when the turn ended here for another reason than that the model was done. */
  readonly ended?: AnswerEnd;
  readonly usage?: Usage;
  readonly parts: readonly (TextPart | ReasoningPart | ToolCallPart)[];
};

/** The result of one tool call. One message each, so that none is lost when the next one never ends. */
export type MessageFromTool = MessageBase & {
  readonly role: "tool";
  readonly parts: readonly [ToolResultPart];
};

/**
 * A message of the conversation: plain JSON data, frozen, with an id. What a transcript holds, hooks see, and the prompt
 * of any model is made from.
 */
export type AgentMessage = MessageFromUser | MessageFromAssistant | MessageFromTool;

/** The text of an answer, as a reader sees it. */
export function textOf({ parts }: Pick<MessageFromAssistant, "parts">): string {
  let text = "";
  for (const part of parts) if (part.type === "text") text += part.text;
  return text;
}

/** The tools a message calls, in order. */
export function callsOf({ parts }: MessageFromAssistant): readonly ToolCallPart[] {
  const calls: ToolCallPart[] = [];
  // V8 has no quick filter for lists that are frozen, as those of messages are.
  for (const part of parts) if (part.type === "tool_call") calls.push(part);
  return calls;
}
