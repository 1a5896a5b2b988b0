import {
  type AgentMessage,
  callsOf,
  type MessageFromAssistant,
  type MessageFromTool,
  type ToolCallPart,
} from "../conversation/messages.ts";

/** A call, and the message with its result when there is one. */
export interface PairedCall {
  readonly call: ToolCallPart;
  result?: MessageFromTool;
}

/** A message that is not a result, with the calls it makes. */
export interface Step {
  readonly message: Exclude<AgentMessage, MessageFromTool>;
  readonly calls: readonly PairedCall[];
}

/**
 * Finds the result of each call. A result belongs to the last call with its id and tool that has none yet; what belongs to
 * no call, or comes second, is left out: a model could not be shown it.
 */
export function pairResults(messages: readonly AgentMessage[]): readonly Step[] {
  const steps: Step[] = [];
  const open = new Map<string, PairedCall[]>();
  for (const message of messages) {
    if (message.role === "tool") {
      const [part] = message.parts;
      const call = open.get(keyOf(part))?.pop();
      if (call !== undefined) call.result = message;
      continue;
    }
    const calls = message.role === "assistant" ? pairedCalls(message) : [];
    // The last one in is the first to get a result; of one message the first call is.
    for (const paired of calls.toReversed()) {
      const key = keyOf(paired.call);
      const stack = open.get(key);
      if (stack === undefined) open.set(key, [paired]);
      else stack.push(paired);
    }
    steps.push({ message, calls });
  }
  return steps;
}

function pairedCalls(message: MessageFromAssistant): readonly PairedCall[] {
  return callsOf(message).map((call) => ({ call }));
}

function keyOf({ tool_use_id, tool_name }: Pick<ToolCallPart, "tool_use_id" | "tool_name">): string {
  return JSON.stringify([tool_use_id, tool_name]);
}
