import { isoTime } from "../../core/base/clock.ts";
import type { ContextLifetime } from "../../core/events/outcomes.ts";
import type { AgentSession } from "../session/session.ts";
import type {
  AnswerEnd,
  FinishReason,
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
  const { id, turn_id, created_at } = newHead(session);
  const message = { id, turn_id, created_at, role: "user", source, parts } as const;
  return lifetime === "session" ? message : { ...message, lifetime };
}

interface Answer {
  readonly id?: string;
  readonly model: string;
  readonly parts: MessageFromAssistant["parts"];
  readonly finish_reason?: FinishReason;
  readonly ended?: AnswerEnd;
}

/** A message of the model. */
export function assistantMessage(
  session: AgentSession,
  { id: own, model, parts, finish_reason = "stop", ended }: Answer,
): MessageFromAssistant {
  const { id, turn_id, created_at } = newHead(session, own);
  const end = ended === undefined ? {} : { ended };
  return { id, turn_id, created_at, role: "assistant", model, finish_reason, ...end, parts };
}

/** The result of a call. */
export function toolMessage(session: AgentSession, part: ToolResultPart): MessageFromTool {
  const { id, turn_id, created_at } = newHead(session);
  return { id, turn_id, created_at, role: "tool", parts: [part] };
}

function newHead({ clock, newId, identity }: AgentSession, id = newId()) {
  return { id, turn_id: identity.turn_id ?? "", created_at: isoTime(clock.now()) };
}
