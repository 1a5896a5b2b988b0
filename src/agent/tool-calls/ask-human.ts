import { errorMessage } from "../../core/base/error-text.ts";
import { type Approved, type Refused, readAgreement, readApproval } from "../../core/contracts/approval.ts";
import type { EventFields } from "../../core/events/payloads.ts";
import type { ApprovalRequest } from "../contracts.ts";
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

/** What a human said, or why none could be asked. */
export type Said = Approved | Refused | { readonly allow: false; readonly not_asked: string };

/**
 * Asks a human to agree.
 *
 * @throws TenterhookError `invalid_answer`; the reason of the signal when it is aborted meanwhile.
 */
export async function approval(
  session: AgentSession,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Said> {
  const { approve } = session.options;
  if (approve === undefined) return { allow: false, not_asked: "there is nobody to ask" };
  const { suggestions: _, ...shown } = request;
  emit(session, { type: "approval_request", ...shown });
  let answer: unknown;
  try {
    answer = await raceAbort(Promise.resolve(approve(request, signal)), signal);
  } catch (error) {
    signal.throwIfAborted();
    return { allow: false, not_asked: `the question could not be asked: ${errorMessage(error)}` };
  }
  const read = request.kind === "permission" ? readApproval : readAgreement;
  return read(answer, "approve");
}
