import { isoTime } from "../../core/base/clock.ts";
import type { ContextLifetime } from "../../core/events/outcomes.ts";
import type { AgentSession } from "../session/session.ts";
import type {
  AnswerEnd,
  MessageFromAssistant,
  MessageFromTool,
  MessageFromUser,
  ToolResultPart,
} from "./messages.ts";

// Each message is one literal: copying fields from one object into another costs more than everything else here.

/** A message to the model. */
export function userMessage(
  { clock, newId, identity }: AgentSession,
  source: MessageFromUser["source"],
  parts: MessageFromUser["parts"],
  lifetime: ContextLifetime = "session",
): MessageFromUser {
  const id = newId();
  const turn_id = identity.turn_id ?? "";
  const created_at = isoTime(clock.now());
  return lifetime === "session"
    ? { id, turn_id, created_at, role: "user", source, parts }
    : { id, turn_id, created_at, role: "user", source, lifetime, parts };
}

/** What is known of an answer. */
interface Answer {
  readonly id?: string;
  readonly model: string;
  readonly parts: MessageFromAssistant["parts"];
  readonly finish_reason?: string;
  readonly ended?: AnswerEnd;
}

/** A message of the model. */
export function assistantMessage(
  { clock, newId, identity }: AgentSession,
  { id = newId(), model, parts, finish_reason = "stop", ended }: Answer,
): MessageFromAssistant {
  const turn_id = identity.turn_id ?? "";
  const created_at = isoTime(clock.now());
  return ended === undefined
    ? { id, turn_id, created_at, role: "assistant", model, finish_reason, parts }
    : { id, turn_id, created_at, role: "assistant", model, finish_reason, ended, parts };
}

/** The result of a call. */
export function toolMessage({ clock, newId, identity }: AgentSession, part: ToolResultPart): MessageFromTool {
  const turn_id = identity.turn_id ?? "";
  return { id: newId(), turn_id, created_at: isoTime(clock.now()), role: "tool", parts: [part] };
}
