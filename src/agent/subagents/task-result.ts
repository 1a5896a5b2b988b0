import type { Usage } from "../../core/event-types.ts";
import type { ToolResult } from "../../core/tool.ts";
import type { Transcript } from "../../core/transcript.ts";
import type { AgentResult, StopReason } from "../items.ts";
import { type AgentMessage, textOf } from "../messages.ts";
import { keptMessages } from "../resume/kept-messages.ts";
import type { AgentSession } from "../session.ts";

const FAILED: readonly StopReason[] = ["error", "denied", "aborted", "cancelled"];

/** What hooks and callers get of a subagent's work. */
interface TaskOutcome {
  readonly agent_id: string;
  readonly content: string;
  readonly iterations: number;
  readonly tool_use_count: number;
  readonly usage: Usage;
  readonly transcript_saved: boolean;
}

/** The result of a call that came to nothing. */
export function refused(content: string): ToolResult {
  return { content, is_error: true };
}

/** The result of a subagent that has ended. */
export function taskResult(
  { conversation, identity }: AgentSession,
  { text, iterations, usage, stop_reason }: AgentResult,
  transcript_saved: boolean,
): ToolResult {
  const outcome: TaskOutcome = {
    agent_id: identity.agent_id,
    content: text,
    iterations,
    tool_use_count: callsIn(conversation.transcript()),
    usage,
    transcript_saved,
  };
  const failed = FAILED.includes(stop_reason);
  const told = failed ? `The subagent ended without an answer (${stop_reason}): ${text}` : text;
  return { content: withId(told, identity.agent_id), data: outcome, ...(failed ? { is_error: true } : {}) };
}

/** The result of a subagent that had ended before its parent was stopped: it does not work again. */
export function keptResult({ metadata, messages }: Transcript): ToolResult {
  const { agent_id, usage = {} } = metadata;
  const said = keptMessages(messages, agent_id);
  const answers = said.filter((message) => message.role === "assistant");
  const last = answers.at(-1);
  const outcome: TaskOutcome = {
    agent_id,
    content: last === undefined ? "" : textOf(last),
    iterations: answers.length,
    tool_use_count: callsIn(said),
    usage,
    transcript_saved: true,
  };
  return { content: withId(outcome.content, agent_id), data: outcome };
}

function withId(text: string, agent_id: string): string {
  return `${text}\n\n(agent_id: ${agent_id})`;
}

function callsIn(messages: readonly AgentMessage[]): number {
  let calls = 0;
  for (const { parts } of messages) for (const { type } of parts) if (type === "tool_call") calls += 1;
  return calls;
}
