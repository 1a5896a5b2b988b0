import type { EventFields } from "../core/event-types.ts";
import { fire } from "./fire.ts";
import type { AgentSession, Turn } from "./session.ts";

/**
 * Tells hooks that a human is about to be asked. A hook may answer in the human's place; otherwise a Notification
 * follows, when there is somebody to notify.
 */
export async function promptHuman(
  session: AgentSession,
  turn: Turn,
  prompt_type: EventFields["AgentPrompt"]["prompt_type"],
  question: unknown,
  message: string,
): Promise<unknown> {
  const { answer } = await fire(session, turn, "AgentPrompt", { prompt_type, question });
  if (answer !== undefined) return answer;
  const { approve, askUser } = session.options;
  if ((prompt_type === "question" ? askUser : approve) !== undefined)
    await fire(session, turn, "Notification", {
      message,
      notification_type: `${prompt_type}_prompt`,
      level: "info",
    });
  return undefined;
}
