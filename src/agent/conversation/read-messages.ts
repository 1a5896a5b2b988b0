import { isRecord, markFrozen } from "../../core/base/json.ts";
import { isFilePart } from "../../core/contracts/content.ts";
import type { Message } from "../../core/events/payloads.ts";
import type { AgentMessage } from "../messages/messages.ts";
import { TurnEnded } from "../turn-ended.ts";

const ROLES: Readonly<Record<string, (part: Readonly<Record<string, unknown>>) => boolean>> = {
  user: (part) =>
    isFilePart(part) ||
    ((part.type === "text" || part.type === "context" || part.type === "hook_input") &&
      typeof part.text === "string"),
  assistant: (part) =>
    ((part.type === "text" || part.type === "reasoning") && typeof part.text === "string") || isCall(part),
  tool: ({ type, tool_use_id, tool_name, content, files = [] }) =>
    type === "tool_result" &&
    typeof tool_use_id === "string" &&
    typeof tool_name === "string" &&
    typeof content === "string" &&
    Array.isArray(files) &&
    files.every((file) => isRecord(file) && isFilePart(file)),
};

/**
 * Messages as a hook rewrote them. It may also use the short form `{ role, content }` with a string.
 *
 * @throws TurnEnded for an invalid message: a conversation that can't be read must not be sent.
 */
export function readMessages(messages: readonly Message[]): readonly AgentMessage[] {
  return messages.map((message, at) => {
    const full = completed(message);
    if (isMessage(full)) return full;
    throw new TurnEnded(
      "error",
      `A hook rewrote the messages, and number ${at + 1} is invalid: it needs role and parts, or role and content.`,
      { error_type: "invalid_messages" },
    );
  });
}

function completed(message: Message): Message {
  const { role, content, parts } = message;
  if (parts !== undefined || typeof content !== "string" || (role !== "user" && role !== "assistant"))
    return message;
  const whole = {
    ...message,
    parts: markFrozen(Object.freeze([Object.freeze({ type: "text", text: content })])),
  };
  return markFrozen(Object.freeze(whole));
}

/** True for data that can be shown to a model as a message. */
export function isMessage(value: Message): value is Message & AgentMessage {
  const { role, parts } = value;
  const fits = typeof role === "string" && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;
  if (fits === undefined || !Array.isArray(parts) || parts.length === 0) return false;
  return parts.every((part: unknown) => isRecord(part) && fits(part));
}

function isCall({ type, tool_use_id, tool_name, tool_input }: Readonly<Record<string, unknown>>): boolean {
  return (
    type === "tool_call" &&
    typeof tool_use_id === "string" &&
    typeof tool_name === "string" &&
    isRecord(tool_input)
  );
}
