import { errorMessage } from "../../../core/base/error-text.ts";
import { withoutUndefined } from "../../../core/base/json.ts";
import {
  type ApprovalRequest,
  type Approved,
  type PersonAnswer,
  type Refused,
  readAgreement,
  readApproval,
  secondsFor,
} from "../../../core/contracts/approval.ts";
import type { EventFields } from "../../../core/events/payloads.ts";
import { raceAbort } from "../../../node/process/deadline.ts";
import { ITS_USER } from "../../../shared/person-answer.ts";
import type { WaitingFor } from "../../waiting-for.ts";
import { fire } from "./fire.ts";
import { saveAsking } from "./save-status.ts";
import { type AgentSession, emit, type Turn } from "./session.ts";

interface HumanPrompt {
  readonly prompt_type: EventFields["AgentPrompt"]["prompt_type"];
  readonly question: unknown;
  /** What the agent waits for until there is an answer. */
  readonly waits: WaitingFor;
}

/**
 * Fires AgentPrompt before a human is asked, and Notification if there is one to ask. Returns the answer of a hook, if
 * any, and the hook's name.
 */
export async function promptHuman(
  turn: Turn,
  { prompt_type, question, waits }: HumanPrompt,
  message: string,
): Promise<{ readonly answer?: unknown; readonly hook?: string }> {
  const { tool_use_id } = waits;
  await saveAsking(turn, waits);
  const about = { prompt_type, question, tool_use_id };
  const { answer, runs } = await fire(turn, "AgentPrompt", about);
  if (answer !== undefined) {
    const hook = runs.find(({ outcome }) => outcome?.answer !== undefined)?.name;
    return { answer, hook };
  }
  const { approval, askUser } = turn.session.options;
  if ((prompt_type === "question" ? askUser : approval?.ask) !== undefined)
    await fire(turn, "Notification", {
      message,
      notification_type: `${prompt_type}_prompt`,
      level: "info",
      tool_use_id,
    });
  return {};
}

/** The answer of a human, or why nobody could be asked. `late`: one was asked and did not answer in time. */
export type HumanAnswer =
  | ((Approved | Refused) & { readonly person?: PersonAnswer })
  | { readonly allow: false; readonly not_asked: string; readonly late?: true };

/**
 * Asks a human to agree.
 *
 * @throws TenterhookError `invalid_answer`; the reason of the signal when it is aborted meanwhile.
 */
export async function askApproval(
  session: AgentSession,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<HumanAnswer> {
  const { ask } = session.options.approval ?? {};
  if (ask === undefined) return { allow: false, not_asked: "there is nobody to ask" };
  const { suggestions: _, ...shown } = request;
  emit(session, { type: "approval_request", ...shown });
  const began = session.clock.monotonic();
  let answer: unknown;
  try {
    answer = await inTime(session, request.kind, signal, (until) => ask(request, until));
  } catch (error) {
    signal.throwIfAborted();
    return { allow: false, not_asked: `the question could not be asked: ${errorMessage(error)}` };
  }
  if (answer === NOBODY) return unanswered(session, request);
  const agreement = (request.kind === "permission" ? readApproval : readAgreement)(answer, "approval");
  return { ...agreement, person: personIn(agreement, session.clock.monotonic() - began) };
}

/** Who has answered, for the record. */
export function personIn(agreement: Approved | Refused, asked_ms?: number): PersonAnswer {
  const words = agreement.allow ? undefined : agreement.feedback;
  return { by: agreement.by ?? ITS_USER, ...withoutUndefined({ asked_ms, words }) };
}

/** Stands for the answer that did not come in time. */
export const NOBODY = Symbol("nobody answered in time");

/**
 * Asks a human, for as long as the options say. The signal that `ask` gets is aborted when the time is over.
 *
 * @throws what `ask` throws; the reason of the signal when it is aborted meanwhile.
 */
export async function inTime<Answer>(
  { options, clock }: AgentSession,
  kind: ApprovalRequest["kind"] | "question",
  signal: AbortSignal,
  ask: (until: AbortSignal) => Answer | Promise<Answer>,
): Promise<Answer | typeof NOBODY> {
  const timeout = secondsFor(options.approval?.timeout, kind);
  if (timeout === undefined) return raceAbort(Promise.resolve(ask(signal)), signal);
  const late = new AbortController();
  const cancel = clock.after(timeout * 1000, () =>
    late.abort(new DOMException(`Nobody answered ${within(timeout)}.`, "TimeoutError")),
  );
  const until = AbortSignal.any([signal, late.signal]);
  try {
    return await raceAbort(Promise.resolve(ask(until)), until);
  } catch (error) {
    if (late.signal.aborted && !signal.aborted) return NOBODY;
    throw error;
  } finally {
    cancel();
  }
}

function unanswered(
  session: AgentSession,
  { kind, tool_name = kind.replace("_", " ") }: ApprovalRequest,
): HumanAnswer {
  const { timeout: time, default: given } = session.options.approval ?? {};
  const timeout = secondsFor(time, kind) ?? 0;
  const not_asked = `nobody answered ${within(timeout)}`;
  if (given === undefined || kind === "turn_hook") return { allow: false, not_asked, late: true };
  const agreement = readAgreement(given, "approval.default");
  if (!agreement.allow) {
    const why = agreement.feedback === undefined ? "" : ` (${agreement.feedback})`;
    return { allow: false, not_asked: `${not_asked}, and the default is no${why}` };
  }
  const text = `Nobody answered ${within(timeout)}. The default is yes: ${tool_name}.`;
  emit(session, { type: "notice", text, level: "warning" });
  return agreement;
}

function within(seconds: number): string {
  return `within ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
}
