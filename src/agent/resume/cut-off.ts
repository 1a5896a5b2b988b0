import type { ToolInput } from "../../core/events/payloads.ts";
import { type AgentMessage, type BackgroundMark, callsOf } from "../conversation/messages.ts";

/** A call whose work went on in the background, and of which no message tells what came of it. */
export interface CutOff extends BackgroundMark {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: ToolInput;
}

/** What a transcript leaves open of the work that went on beside its loop, in the order in which it was begun. */
export function cutOffIn(messages: readonly AgentMessage[]): readonly CutOff[] {
  const inputs = new Map<string, ToolInput>();
  const open = new Map<string, CutOff>();
  for (const message of messages) {
    if (message.role === "assistant")
      for (const { tool_use_id, tool_input } of callsOf(message)) inputs.set(tool_use_id, tool_input);
    else if (message.role === "user") {
      if (message.delivers !== undefined) open.delete(message.delivers);
    } else {
      const [{ tool_use_id, tool_name, in_background }] = message.parts;
      if (in_background === undefined) continue;
      open.set(tool_use_id, {
        tool_name,
        tool_use_id,
        tool_input: inputs.get(tool_use_id) ?? {},
        ...in_background,
      });
    }
  }
  return [...open.values()];
}
