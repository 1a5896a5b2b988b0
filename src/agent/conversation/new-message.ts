import { isoTime } from "../../core/base/clock.ts";
import { withoutUndefined } from "../../core/base/json.ts";
import type { ContextLifetime } from "../../core/events/outcomes.ts";
import type { AgentSession } from "../session/session.ts";
import type {
  AnswerEnd,
  MessageFromAssistant,
  MessageFromTool,
  MessageFromUser,
  ToolResultPart,
} from "./messages.ts";

/** A message to the model. */
export function userMessage(
  session: AgentSession,
  source: MessageFromUser["source"],
  parts: MessageFromUser["parts"],
  lifetime: ContextLifetime = "session",
): MessageFromUser {
  const head = { ...newHead(session), role: "user", source } as const;
  return lifetime === "session" ? { ...head, parts } : { ...head, lifetime, parts };
}

interface Answer {
  readonly id?: string;
  readonly model: string;
  readonly parts: MessageFromAssistant["parts"];
  readonly finish_reason?: string;
  readonly ended?: AnswerEnd;
}

/** A message of the model. */
export function assistantMessage(
  session: AgentSession,
  { id = session.newId(), model, parts, finish_reason = "stop", ended }: Answer,
): MessageFromAssistant {
  const head = { ...newHead(session, id), role: "assistant", model, finish_reason } as const;
  return { ...head, ...withoutUndefined({ ended }), parts };
}

/** The result of a call. */
export function toolMessage(session: AgentSession, part: ToolResultPart): MessageFromTool {
  return { ...newHead(session), role: "tool", parts: [part] };
}

function newHead({ clock, newId, identity }: AgentSession, id = newId()) {
  return { id, turn_id: identity.turn_id ?? "", created_at: isoTime(clock.now()) };
}
