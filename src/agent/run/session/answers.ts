import { invalidOption, TenterhookError } from "../../../core/base/errors.ts";
import { isRecord, sameJson } from "../../../core/base/json.ts";
import {
  type Approval,
  type QuestionAnswers,
  readAgreement,
  readApproval,
} from "../../../core/contracts/approval.ts";
import type { UserQuestion } from "../../../core/contracts/tool.ts";
import type { ToolCallPart } from "../../messages/messages.ts";
import type { GivenAnswer, StoredWaiting, WaitingFor } from "../../waiting-for.ts";
import type { AgentSession } from "./session.ts";

/** What a human says to the call that an agent waits for. */
export type HumanAnswer = {
  /** The call, as `waiting_for` names it; of a subagent, the innermost one. */
  readonly tool_use_id: string;
  /** The `ask` of `waiting_for`, if it has one: the call was answered before and asks something else now. */
  readonly ask?: number;
  /** The subagent whose call it is, the innermost one of `waiting_for`: calls of several may have the same id. */
  readonly subagent_id?: string;
} & (
  | {
      /** Yes or no, to a permission or a plan. */
      readonly approval: Approval;
      readonly answers?: never;
    }
  | {
      /** What the user answers, to a question. */
      readonly answers: QuestionAnswers;
      readonly approval?: never;
    }
);

/** No answer: `continue` goes on without one. */
export type NoAnswer = {
  readonly [name in "tool_use_id" | "ask" | "subagent_id" | "approval" | "answers"]?: never;
};

export function shownWaiting(waiting: StoredWaiting): WaitingFor {
  const { not_started: _, answers: _answers, waiting_agent_id: _agent, ...waiting_for } = waiting;
  return waiting_for;
}

/** The call that waits itself: a subagent waits for one of its own. */
export function waitingCall(waiting: WaitingFor): Exclude<WaitingFor, { readonly type: "subagent" }> {
  return waiting.type === "subagent" ? waitingCall(waiting.waiting_for) : waiting;
}

function waitingSubagent(waiting: WaitingFor): string | undefined {
  if (waiting.type !== "subagent") return undefined;
  return waitingSubagent(waiting.waiting_for) ?? waiting.agent_id;
}

/**
 * Checks an answer against what the agent waits for. Returns what `giveAnswer` takes; `undefined` without an answer.
 *
 * @throws TenterhookError `not_waiting` for another call than the one that waits, `invalid_answer`, `invalid_option`.
 */
export function checkAnswer(
  waiting: StoredWaiting | undefined,
  { tool_use_id, ask = 1, subagent_id, approval, answers }: HumanAnswer | NoAnswer,
): unknown {
  if (tool_use_id === undefined) {
    if (approval === undefined && answers === undefined) return undefined;
    throw invalidOption("continue: an answer needs the tool_use_id of its call.");
  }
  if (waiting === undefined) throw notWaiting(tool_use_id, "no call waits for an answer");
  const call = waitingCall(shownWaiting(waiting));
  if (call.tool_use_id !== tool_use_id)
    throw notWaiting(tool_use_id, `${call.tool_name} (${call.tool_use_id}) is the call that waits`);
  if (subagent_id !== undefined && subagent_id !== waitingSubagent(waiting))
    throw notWaiting(tool_use_id, "another agent waits");
  const asked = call.ask ?? 1;
  if (ask !== asked)
    throw notWaiting(
      tool_use_id,
      ask < asked ? "it was answered, and asks something else now" : "it has not asked so often",
      `Look at waiting_for. To answer what it asks now, give ask: ${asked} too.`,
    );
  const place = `continue: ${call.tool_name} (${tool_use_id})`;
  if (call.type === "question") return checkedAnswers(answers, call.questions, place);
  if (approval === undefined)
    throw new TenterhookError("invalid_answer", `${place} waits for a yes or no: give approval.`);
  return call.type === "plan" ? readAgreement(approval, place) : readApproval(approval, place);
}

function notWaiting(tool_use_id: string, why: string, hint?: string): TenterhookError {
  const message = `The call ${tool_use_id} does not wait for this answer: ${why}. Nothing was approved.`;
  return new TenterhookError("not_waiting", message, { hint });
}

function checkedAnswers(answers: unknown, questions: readonly UserQuestion[], place: string): unknown {
  if (typeof answers === "string") return answers;
  if (!isRecord(answers))
    throw new TenterhookError(
      "invalid_answer",
      `${place} waits for answers: a string, or strings by question.`,
    );
  const known = questions.map(({ question }) => question);
  for (const [question, text] of Object.entries(answers))
    if (!known.includes(question) || !(typeof text === "string" || Array.isArray(text)))
      throw new TenterhookError(
        "invalid_answer",
        `${place}: ${JSON.stringify(question)} is not one of the questions, or its answer is not a string. The questions are: ${known.join(" | ")}`,
      );
  return answers;
}

export function giveAnswer(session: AgentSession, answer: unknown): void {
  const { pending } = session;
  const { waiting, unheard } = pending;
  // An agent that got other input since no longer waits.
  if (waiting === undefined || unheard !== undefined || answer === undefined) return;
  const to = shownWaiting(waiting);
  pending.waiting = { ...waiting, answers: [...otherAnswers(waiting, to), { to, answer }] };
}

/**
 * The answer of a human to a question, if there is one. An answer to another input, plan or question does not
 * count.
 */
export function answerTo({ pending: { waiting } }: AgentSession, asked: WaitingFor): unknown {
  if (waiting?.answers === undefined) return undefined;
  const subject = subjectOf(asked);
  return waiting.answers.find(({ to }) => sameJson(subjectOf(to), subject))?.answer;
}

/**
 * The answers of an agent, except those that an answer to `asked` replaces: a call can ask several questions, but a newer
 * permission or plan replaces the one before.
 */
function otherAnswers(waiting: StoredWaiting | undefined, asked: WaitingFor): readonly GivenAnswer[] {
  const { type, tool_use_id } = asked;
  const subject = subjectOf(asked);
  return (waiting?.answers ?? []).filter(
    ({ to }) =>
      to.type !== type ||
      to.tool_use_id !== tool_use_id ||
      (type === "question" && !sameJson(subjectOf(to), subject)),
  );
}

/** What is asked, as a store would return it. The wording of the reason and how it is shown do not count. */
function subjectOf(waiting: WaitingFor): unknown {
  const subject: unknown = JSON.parse(JSON.stringify(waiting));
  return isRecord(subject) ? { ...subject, reason: undefined, preview: undefined, ask: undefined } : subject;
}

/** What a store keeps of an agent that asks a human, while these calls have not begun. */
export function waitingWith(
  { pending, identity }: AgentSession,
  asked: WaitingFor,
  calls: readonly ToolCallPart[],
): StoredWaiting {
  const waiting_for = numbered(pending.waiting, asked);
  const not_started = calls.map(({ tool_use_id }) => tool_use_id);
  const answers = otherAnswers(pending.waiting, waiting_for).filter(({ to }) =>
    not_started.includes(to.tool_use_id),
  );
  return {
    ...waiting_for,
    waiting_agent_id: identity.agent_id,
    not_started,
    ...(answers.length === 0 ? {} : { answers }),
  };
}

/** Numbers what a call asks, so that an answer to what it asked before does not count for it. */
function numbered(waiting: StoredWaiting | undefined, asked: WaitingFor): WaitingFor {
  if (asked.type === "subagent" || waiting === undefined) return asked;
  const { tool_use_id } = asked;
  const answered = (waiting.answers ?? []).filter(({ to }) => to.tool_use_id === tool_use_id);
  const numbers = answered.map(({ to }) => (to.type === "subagent" ? 1 : (to.ask ?? 1)) + 1);
  if (waiting.type !== "subagent" && waiting.tool_use_id === tool_use_id) numbers.push(waiting.ask ?? 1);
  const ask = Math.max(1, ...numbers);
  return ask === 1 ? asked : { ...asked, ask };
}
