import { isRecord } from "../../../../../core/base/json.ts";
import type { StoredMessage } from "../../../../../core/contracts/transcript.ts";
import type { ToolInput } from "../../../../../core/events/payloads.ts";

/** What the calls of a kept conversation are about, by their id. */
export function keptInputs(messages: readonly StoredMessage[]): Map<string, ToolInput> {
  const inputs = new Map<string, ToolInput>();
  for (const message of messages) {
    const parts = "parts" in message && Array.isArray(message.parts) ? message.parts : [];
    for (const part of parts) {
      if (!isRecord(part) || part.type !== "tool_call" || typeof part.tool_use_id !== "string") continue;
      if (isRecord(part.tool_input)) inputs.set(part.tool_use_id, part.tool_input);
    }
  }
  return inputs;
}
