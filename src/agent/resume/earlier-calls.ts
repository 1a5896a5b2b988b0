import type { EarlierCall } from "../../core/contracts/tool.ts";
import { type AgentMessage, callsOf, type ToolCallPart } from "../conversation/messages.ts";

/** The calls of a conversation that came to a good end, the first one first: tools of a resumed agent remember nothing else. */
export function earlierCalls(messages: readonly AgentMessage[]): readonly EarlierCall[] {
  const done: EarlierCall[] = [];
  const open = new Map<string, { readonly call: ToolCallPart; readonly called_at: string }>();
  for (const message of messages) {
    const { created_at } = message;
    if (message.role === "assistant")
      for (const call of callsOf(message)) open.set(call.tool_use_id, { call, called_at: created_at });
    if (message.role !== "tool") continue;
    const [{ tool_use_id, is_error }] = message.parts;
    const begun = open.get(tool_use_id);
    open.delete(tool_use_id);
    if (begun === undefined || is_error === true) continue;
    const { call, called_at } = begun;
    const { tool_name, tool_input } = call;
    done.push({ tool_name, tool_input, called_at, answered_at: created_at });
  }
  return done;
}
