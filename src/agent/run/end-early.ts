import { stackTrace } from "../../core/base/error-text.ts";
import type { Generated } from "../items.ts";
import { type AnswerEnd, openCalls } from "../messages/messages.ts";
import { modelName } from "../model/agent-model.ts";
import { ModelFailure } from "../model/failure.ts";
import { isPause, type TurnEnded, TurnSuspended } from "../turn-ended.ts";
import { shownWaiting, waitingWith } from "./session/answers.ts";
import { append, appendResult, assistantMessage } from "./session/append.ts";
import { fireAnyway } from "./session/fire.ts";
import { emit, type Turn } from "./session/session.ts";
import { refusedResult, tellCall } from "./tool-calls/result.ts";
import { INTERRUPTED } from "./tool-calls/run-tool.ts";

function endingText(reason: AnswerEnd, message: string): string {
  if (reason === "error") return `[The turn ended with an error: ${message}]`;
  if (reason !== "cancelled") return message;
  return message === "interrupted" ? "[Interrupted by the user.]" : `[Interrupted: ${message}]`;
}

/**
 * Ends a turn that has no answer: notifies hooks, unless a failed model has done so, and makes the text so far and the
 * reason the answer, so that the next turn does not follow an unanswered question. Never rejects.
 */
export async function endEarly(turn: Turn, ending: TurnEnded): Promise<Generated> {
  const { session } = turn;
  const { reason, message, error_type = "Error" } = ending;
  if (isPause(reason)) return pause(turn, ending);
  if (reason === "cancelled") await fireAnyway(session, "Interrupt", { reason: message }, turn.firing);
  if (reason === "error" && !(ending.cause instanceof ModelFailure)) {
    const failed = { error_type, error_message: message, severity: "critical" } as const;
    await fireAnyway(session, "Error", { ...failed, ...stackTrace(ending.cause) }, turn.firing);
    emit(session, { type: "error", error_type, message });
  }
  const why = endingText(reason, message);
  const { partial } = turn;
  const parts = [...(partial === "" ? [] : [partial]), why].map((text) => ({ type: "text", text }) as const);
  const model = session.model === undefined ? "" : modelName(session.model);
  await completeCalls(turn, reason === "cancelled");
  session.pending.not_begun = undefined;
  // Perhaps the store failed; the conversation has the answer all the same.
  if (session.conversation.length > turn.from)
    await append(session, assistantMessage(session, { model, ended: reason, parts })).catch(() => {});
  const text = reason === "cancelled" ? partial : why;
  return {
    text,
    stop_reason: reason,
    reason: message,
    ...(reason === "error" ? { error: { error_type, message } } : {}),
    ...(error_type === "context_overflow" ? { finish_reason: error_type } : {}),
  };
}

/** Leaves the turn open until a human has answered, or may use more. */
async function pause(turn: Turn, ending: TurnEnded): Promise<Generated> {
  const { session } = turn;
  const pending = openCalls(session.conversation.transcript(turn.from));
  await fireAnyway(session, "Suspend", { pending_tool_calls: pending }, turn.firing);
  session.pending.unfinished = { turn_id: turn.id, rerun: pending };
  const { message } = ending;
  if (!(ending instanceof TurnSuspended)) return { text: message, stop_reason: "budget", reason: message };
  const waiting = waitingWith(session, ending.waiting_for, pending);
  session.pending.waiting = waiting;
  session.pending.not_begun = undefined;
  return { text: message, stop_reason: "suspended", waiting_for: shownWaiting(waiting) };
}

/** Adds a result for every call that has none: the transcript must hold one for each. */
async function completeCalls(turn: Turn, interrupted: boolean): Promise<void> {
  const { session } = turn;
  for (const call of openCalls(session.conversation.transcript(turn.from))) {
    const begun = turn.started.some(({ tool_use_id }) => tool_use_id === call.tool_use_id);
    const refused = begun
      ? { call, content: INTERRUPTED, outcome: "interrupted" as const }
      : { call, content: interrupted ? NOT_RUN : RUN_ENDED, outcome: "not_run" as const };
    if (session.listeners.size > 0) tellCall(turn, call);
    const { part } = refusedResult(session, refused);
    await appendResult(session, part).catch(() => {});
  }
}

const NOT_RUN = "The call did not run: the turn was interrupted before.";
const RUN_ENDED = "The call did not run: the run was ended before.";
