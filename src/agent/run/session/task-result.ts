import type { TaskRequest, TextResult } from "../../../core/contracts/tool.ts";
import type { Transcript, Usage } from "../../../core/contracts/transcript.ts";
import { storedMessages } from "../../conversation/stored-transcript.ts";
import type { AgentResult } from "../../items.ts";
import { type AgentMessage, callsIn, textOf } from "../../messages/messages.ts";
import { stopReasonOf } from "../../model/finish-reason.ts";
import type { StopReason } from "../../stop-reasons.ts";

const FAILED: readonly StopReason[] = [
  "error",
  "denied",
  "aborted",
  "cancelled",
  "suspended",
  "budget",
  "refused",
];

/** What the model of the parent reads after an answer that is not what it was meant to be. */
const NOTES: Readonly<Partial<Record<StopReason, string>>> = {
  cut_off: "[The answer of the subagent was cut off here.]",
  capped: "[A limit ended the subagent although hooks wanted it to go on.]",
  stalled: "[The subagent made no progress and was ended although hooks wanted it to go on.]",
};

interface TaskOutcome {
  readonly agent_id: string;
  readonly content: string;
  readonly iterations: number;
  readonly tool_use_count: number;
  readonly usage: Usage;
  readonly transcript_saved: boolean;
}

export function refused(content: string): TextResult {
  return { content, is_error: true };
}

/** The result of a subagent that has ended, from the messages of its run. */
export function taskResult(
  { agent_id, text, iterations, usage, stop_reason }: AgentResult,
  messages: readonly AgentMessage[],
  transcript_saved: boolean,
): TextResult {
  return resultOf(stop_reason, {
    agent_id,
    content: text,
    iterations,
    tool_use_count: callsIn(messages),
    usage,
    transcript_saved,
  });
}

/**
 * The result of a subagent that had ended before its parent was stopped: it does not run again.
 *
 * @param own its messages for the call. Default: all.
 * @throws TenterhookError `store_damaged` for an invalid message.
 */
export function storedResult(
  { metadata, messages }: Transcript,
  own: readonly AgentMessage[] = storedMessages(messages, metadata.agent_id),
): TextResult {
  const { agent_id, status, usage = {}, error } = metadata;
  const answers = own.filter((message) => message.role === "assistant");
  const last = answers.at(-1);
  const byAnswer = last === undefined ? undefined : (last.ended ?? stopReasonOf(last));
  const stop_reason = byAnswer ?? (status === "running" ? "cancelled" : status);
  const text = last === undefined ? "" : textOf(last);
  return resultOf(stop_reason, {
    agent_id,
    content: stop_reason === "error" ? (error?.message ?? text) : text,
    iterations: answers.length,
    tool_use_count: callsIn(own),
    usage,
    transcript_saved: true,
  });
}

function resultOf(stop_reason: StopReason, outcome: TaskOutcome): TextResult {
  const { agent_id, content: text } = outcome;
  const failed = FAILED.includes(stop_reason);
  const answer = [text, ...(NOTES[stop_reason] === undefined ? [] : [NOTES[stop_reason]])].join("\n");
  const content = failed ? `The subagent ended without an answer (${stop_reason}): ${text}` : answer;
  // This only happens in the background: otherwise its parent waits too.
  const way = `Subagents in the background can't ask. To ask the human, call Task with resume_agent_id "${agent_id}" and without run_in_background.`;
  return {
    content: `${stop_reason === "suspended" ? `${content} ${way}` : content}\n\n(agent_id: ${agent_id})`,
    data: outcome,
    ...(failed ? { is_error: true } : {}),
  };
}

/** The work for a call before the process of the parent was killed. */
export interface BegunTask {
  /** The messages for this call, from the task on. */
  readonly messages: readonly AgentMessage[];
  /** True when the subagent has ended, in any way. */
  readonly ended: boolean;
}

/**
 * The stored work for a call; `undefined` when the subagent has not received it yet.
 *
 * @param turn_id the turn of the subagent for this call.
 * @throws TenterhookError `store_damaged` for an invalid message.
 */
export function begunTask(
  stored: Transcript | undefined,
  { resume_agent_id }: TaskRequest,
  turn_id: string,
): BegunTask | undefined {
  if (stored === undefined) return undefined;
  const { agent_id, status } = stored.metadata;
  const all = storedMessages(stored.messages, agent_id);
  // All messages of a new subagent belong to the call that started it.
  const from = resume_agent_id === undefined ? 0 : all.findIndex((message) => message.turn_id === turn_id);
  const messages = from < 0 ? [] : all.slice(from);
  if (messages.length === 0) return undefined;
  return { messages, ended: status !== "running" && status !== "suspended" };
}
