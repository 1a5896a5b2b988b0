import { errorMessage } from "../../core/base/error-text.ts";
import type { Approval, ApprovalRequest } from "../contracts.ts";
import { raceAbort } from "../loop/abort.ts";
import { type AgentSession, emit } from "../session/session.ts";

/**
 * Asks a human to agree. Nobody to ask, a rejection or an answer that is none: refused.
 *
 * @throws the reason of the signal when it is aborted while the human thinks.
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
    return { decision: "refuse", feedback: `The question could not be put: ${errorMessage(error)}` };
  }
}
