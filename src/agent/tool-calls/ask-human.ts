import { errorMessage } from "../../core/base/error-text.ts";
import type { EventFields } from "../../core/events/payloads.ts";
import type { Approval, ApprovalRequest } from "../contracts.ts";
import { raceAbort } from "../loop/abort.ts";
import { fire } from "../session/fire.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";

interface HumanPrompt {
  readonly prompt_type: EventFields["AgentPrompt"]["prompt_type"];
  readonly question: unknown;
  readonly tool_use_id: string;
}

/**
 * Fires AgentPrompt before a human is asked, and Notification if there is one to ask. Returns the answer of a hook, if
 * any.
 */
export async function promptHuman(
  session: AgentSession,
  turn: Turn,
  { prompt_type, question, tool_use_id }: HumanPrompt,
  message: string,
): Promise<unknown> {
  const { answer } = await fire(session, turn, "AgentPrompt", { prompt_type, question, tool_use_id });
  if (answer !== undefined) return answer;
  const { approve, askUser } = session.options;
  if ((prompt_type === "question" ? askUser : approve) !== undefined)
    await fire(session, turn, "Notification", {
      message,
      notification_type: `${prompt_type}_prompt`,
      level: "info",
      tool_use_id,
    });
  return undefined;
}

/**
 * Asks a human to agree. Without anybody to ask, and for an invalid answer, the request is refused.
 *
 * @throws the reason of the signal when it is aborted meanwhile.
 */
export async function approval(
  session: AgentSession,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Approval> {
  const { approve } = session.options;
  if (approve === undefined) return { decision: "refuse" };
  const { suggestions: _, ...shown } = request;
  emit(session, { type: "approval_request", ...shown });
  try {
    const answer = await raceAbort(Promise.resolve(approve(request, signal)), signal);
    return answer.decision === "once" || answer.decision === "session" || answer.decision === "refuse"
      ? answer
      : { decision: "refuse" };
  } catch (error) {
    signal.throwIfAborted();
    return { decision: "refuse", feedback: `The question could not be asked: ${errorMessage(error)}` };
  }
}
