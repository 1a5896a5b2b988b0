import type { TranscriptStatus } from "../../core/contracts/transcript.ts";
import { isSummary } from "../conversation/compacted.ts";
import type {
  AgentMessage,
  MessageFromAssistant,
  MessageFromTool,
  ToolCallPart,
} from "../conversation/messages.ts";
import { repairMessages } from "./repair-messages.ts";

/** A turn that was not brought to its end. */
export interface Unfinished {
  readonly turn_id: string;
  /** Calls to run before the model is asked. */
  readonly rerun: readonly ToolCallPart[];
  /** An answer that Stop hooks have not been asked about. */
  readonly answer?: MessageFromAssistant;
}

/** What is known of a transcript beside its messages. */
export interface UnfinishedOptions {
  readonly status: TranscriptStatus;
  readonly mayRun: (call: ToolCallPart) => boolean;
  /** ISO time. */
  readonly now: string;
}

/** A transcript made whole, and what is left to do of its last turn. */
export interface Restored {
  readonly messages: readonly AgentMessage[];
  /** Those of them that the store has not. */
  readonly added: readonly MessageFromTool[];
  readonly unfinished: Unfinished | undefined;
}

/** Repairs a transcript and finds out where its last turn stopped. */
export function restore(kept: readonly AgentMessage[], { status, mayRun, now }: UnfinishedOptions): Restored {
  const { messages, added, rerun, next } = repairMessages(kept, { mayRun, now });
  const last = messages.findLast((message) => !isSummary(message));
  if (last === undefined) return { messages, added, unfinished: undefined };
  const { turn_id } = last;
  if (next !== "user") return { messages, added, unfinished: { turn_id, rerun } };
  const unasked = status === "running" && last.role === "assistant" && last.ended === undefined;
  return { messages, added, unfinished: unasked ? { turn_id, rerun, answer: last } : undefined };
}
