import type { ToolResult } from "../../core/contracts/tool.ts";
import type { Transcript, Usage } from "../../core/contracts/transcript.ts";
import type { AgentStore } from "../contracts.ts";
import { type AgentMessage, textOf } from "../conversation/messages.ts";
import type { AgentResult, StopReason } from "../items.ts";
import { storedMessages } from "../resume/stored-transcript.ts";
import { outlivesAgent } from "./child-store.ts";

const FAILED: readonly StopReason[] = ["error", "denied", "aborted", "cancelled", "suspended"];

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

/** The result of a subagent that has ended, from the messages of its run. */
export function taskResult(
  { agent_id, text, iterations, usage, stop_reason }: AgentResult,
  said: readonly AgentMessage[],
  store: AgentStore | undefined,
): ToolResult {
  return resultOf(stop_reason, {
    agent_id,
    content: text,
    iterations,
    tool_use_count: callsIn(said),
    usage,
    transcript_saved: outlivesAgent(store),
  });
}

/**
 * The result of a subagent that had ended, however, before its parent was stopped: it does not work again.
 *
 * @param said what it said for the call. Default: everything.
 * @throws TenterhookError `store_damaged` for what is no message of an agent.
 */
export function storedResult(
  { metadata, messages }: Transcript,
  said: readonly AgentMessage[] = storedMessages(messages, metadata.agent_id),
): ToolResult {
  const { agent_id, status, usage = {}, error } = metadata;
  const answers = said.filter((message) => message.role === "assistant");
  const last = answers.at(-1);
  const stop_reason = last?.ended ?? (status === "running" ? "cancelled" : status);
  const text = last === undefined ? "" : textOf(last);
  return resultOf(stop_reason, {
    agent_id,
    content: stop_reason === "error" ? (error?.message ?? text) : text,
    iterations: answers.length,
    tool_use_count: callsIn(said),
    usage,
    transcript_saved: true,
  });
}

function resultOf(stop_reason: StopReason, outcome: TaskOutcome): ToolResult {
  const { agent_id, content: text } = outcome;
  const failed = FAILED.includes(stop_reason);
  const told = failed ? `The subagent ended without an answer (${stop_reason}): ${text}` : text;
  // Only in the background: otherwise its parent waits with it.
  const way = `Nobody is asked in the background. To have the human asked, call Task with resume_agent_id "${agent_id}" and without run_in_background.`;
  return {
    content: `${stop_reason === "suspended" ? `${told} ${way}` : told}\n\n(agent_id: ${agent_id})`,
    data: outcome,
    ...(failed ? { is_error: true } : {}),
  };
}

function callsIn(messages: readonly AgentMessage[]): number {
  let calls = 0;
  for (const { parts } of messages) for (const { type } of parts) if (type === "tool_call") calls += 1;
  return calls;
}
