import { isRecord } from "../../core/base/json.ts";
import type { Message } from "../../core/events/payloads.ts";

/**
 * Where a conversation is cut so that about so many of its last messages stay as they are. Results are not parted from
 * their calls, and calls that have no result yet stay.
 */
export function cutAt(messages: readonly Message[], keepMessages: number): number {
  let cut = Math.max(0, messages.length - keepMessages);
  while (cut > 0 && (messages[cut]?.role === "tool" || calls(messages[cut - 1]))) cut -= 1;
  return cut;
}

function calls(message: Message | undefined): boolean {
  const parts: unknown = message?.parts;
  return Array.isArray(parts) && parts.some((part) => isRecord(part) && part.type === "tool_call");
}
