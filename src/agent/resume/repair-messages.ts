import { isSummary } from "../conversation/compacted.ts";
import type { AgentMessage, MessageFromTool, ToolCallPart } from "../conversation/messages.ts";
import { type PairedCall, pairResults, type Step } from "./pair-results.ts";

/** How a transcript is repaired. */
export interface RepairOptions {
  /** True for a call that may run again. */
  readonly mayRun: (call: ToolCallPart) => boolean;
  /** ISO time. */
  readonly now: string;
}

/** A transcript that can be gone on from. */
export interface Repaired {
  /** What the model may be shown: the results of each call right behind it, in the order of the calls, one each. */
  readonly messages: readonly AgentMessage[];
  /** Those of them that the store does not have yet. */
  readonly added: readonly MessageFromTool[];
  /** Calls to run before the model is asked: the only ones without a result. */
  readonly rerun: readonly ToolCallPart[];
  /** What comes next: calls that run again, the model's answer, or the user. */
  readonly next: "tools" | "model" | "user";
}

/** What the model reads in place of a result that was lost. */
const UNKNOWN_OUTCOME =
  "The outcome of this call is unknown: the agent was stopped before the result was kept. It may have run, in part or " +
  "whole. Find out what it has done before you repeat it.";

/**
 * Repairs a transcript whose process was killed, or which was cut by a fork: calls without a result that may run again are
 * named, if the conversation stopped there; every other gets a result which says that its outcome is unknown.
 *
 * Repairing what was repaired adds nothing. The ids of added messages follow from the calls, so that a store which was
 * given them once does not keep them twice.
 */
export function repairMessages(messages: readonly AgentMessage[], options: RepairOptions): Repaired {
  const steps = pairResults(messages);
  const lastAnswer = steps.findLastIndex(({ message }) => message.role === "assistant");
  const nobodySpokeSince = steps
    .slice(lastAnswer + 1)
    .every(({ message }) => message.role === "user" && message.source !== "user");
  const repaired: AgentMessage[] = [];
  const added: MessageFromTool[] = [];
  const rerun: ToolCallPart[] = [];
  for (const [at, step] of steps.entries()) {
    repaired.push(step.message);
    for (const [number, paired] of step.calls.entries()) {
      const mayRun = at === lastAnswer && nobodySpokeSince && options.mayRun(paired.call);
      if (paired.result === undefined && mayRun) {
        rerun.push(paired.call);
        continue;
      }
      const result = paired.result ?? unknownOutcome(step, number, paired, options.now);
      if (paired.result === undefined) added.push(result);
      repaired.push(result);
    }
  }
  return { messages: repaired, added, rerun, next: nextOf(steps, rerun) };
}

function unknownOutcome(
  { message }: Step,
  number: number,
  { call }: PairedCall,
  now: string,
): MessageFromTool {
  const { tool_use_id, tool_name } = call;
  return {
    id: `${message.id}-unknown-${number}`,
    turn_id: message.turn_id,
    created_at: now,
    role: "tool",
    parts: [
      {
        type: "tool_result",
        tool_use_id,
        tool_name,
        content: UNKNOWN_OUTCOME,
        is_error: true,
        outcome: "interrupted",
      },
    ],
  };
}

function nextOf(steps: readonly Step[], rerun: readonly ToolCallPart[]): Repaired["next"] {
  if (rerun.length > 0) return "tools";
  const last = steps.findLast(({ message }) => !isSummary(message));
  if (last === undefined) return "user";
  return last.message.role === "assistant" && last.calls.length === 0 ? "user" : "model";
}
