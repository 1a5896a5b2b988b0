import {
  type AgentMessage,
  callsOf,
  isSummary,
  type MessageFromTool,
  type ToolCallPart,
} from "./messages.ts";

/** A transcript that an agent can continue. */
export interface Repaired {
  /** Each call is followed by its result, in the order of the calls. */
  readonly messages: readonly AgentMessage[];
  /** The messages that the store does not have yet. */
  readonly added: readonly MessageFromTool[];
  /** Calls to run before the model call: the only ones without a result. */
  readonly rerun: readonly ToolCallPart[];
  readonly next: "tools" | "model" | "user";
}

const UNKNOWN_OUTCOME =
  "The outcome of this call is unknown: the agent was stopped before the result was stored. It may have run, in part or " +
  "whole. Find out what it has done before you repeat it.";

/**
 * Repairs a transcript whose process was killed, or which a fork cut. Calls without a result at its end may run again; every
 * other one gets a result which says that its outcome is unknown.
 *
 * Repairing twice adds nothing. The ids of added messages follow from the calls, so that a store which got them once does
 * not store them twice.
 *
 * @param options.now as ISO time.
 */
export function repairMessages(
  messages: readonly AgentMessage[],
  options: { readonly mayRun: (call: ToolCallPart) => boolean; readonly now: string },
): Repaired {
  const steps = pairResults(messages);
  const lastAnswer = steps.findLastIndex(({ message }) => message.role === "assistant");
  const noInputSince = steps
    .slice(lastAnswer + 1)
    .every(({ message }) => message.role === "user" && message.source !== "user");
  const repaired: AgentMessage[] = [];
  const added: MessageFromTool[] = [];
  const rerun: ToolCallPart[] = [];
  for (const [at, step] of steps.entries()) {
    repaired.push(step.message);
    for (const [number, paired] of step.calls.entries()) {
      const mayRun = at === lastAnswer && noInputSince && options.mayRun(paired.call);
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

interface PairedCall {
  readonly call: ToolCallPart;
  result?: MessageFromTool;
}

/** A message that is not a result, and its calls. */
interface Step {
  readonly message: Exclude<AgentMessage, MessageFromTool>;
  readonly calls: readonly PairedCall[];
}

/**
 * Finds the result of each call. A result belongs to the last call with its id and tool that has none yet; a result without
 * a call, and a second result, are dropped: no model accepts them.
 */
function pairResults(messages: readonly AgentMessage[]): readonly Step[] {
  const steps: Step[] = [];
  const open = new Map<string, PairedCall[]>();
  for (const message of messages) {
    if (message.role === "tool") {
      const [part] = message.parts;
      const call = open.get(keyOf(part))?.pop();
      if (call !== undefined) call.result = message;
      continue;
    }
    const calls: PairedCall[] =
      message.role === "assistant" ? callsOf(message).map((call) => ({ call })) : [];
    // The last message gets its results first; within a message the first call does.
    for (const paired of calls.toReversed()) {
      const key = keyOf(paired.call);
      const stack = open.get(key) ?? [];
      stack.push(paired);
      open.set(key, stack);
    }
    steps.push({ message, calls });
  }
  return steps;
}

function keyOf({ tool_use_id, tool_name }: Pick<ToolCallPart, "tool_use_id" | "tool_name">): string {
  return JSON.stringify([tool_use_id, tool_name]);
}
