import { isRecord, sameJson } from "../../core/base/json.ts";
import type { AgentSession } from "../session/session.ts";
import type { GivenAnswer, StoredWaiting, WaitingFor } from "../session/waiting-for.ts";

/** What an agent waits for, as a human sees it. */
export function shownWaiting(waiting: StoredWaiting): WaitingFor {
  const { not_started: _, answers: _answers, waiting_agent_id: _agent, ...waiting_for } = waiting;
  return waiting_for;
}

/** Remembers the answer of a human to what the agent waits for. */
export function giveAnswer(session: AgentSession, answer: unknown): void {
  const { pending } = session;
  const { waiting, unheard } = pending;
  // An agent that got other input since no longer waits.
  if (waiting === undefined || unheard !== undefined || answer === undefined) return;
  const to = shownWaiting(waiting);
  pending.waiting = { ...waiting, answers: [...otherAnswers(waiting, to), { to, answer }] };
}

/**
 * The answer of a human to a question; `undefined` when there is none. An answer to another input, plan or question does not
 * count.
 */
export function answerTo({ pending: { waiting } }: AgentSession, asked: WaitingFor): unknown {
  if (waiting?.answers === undefined) return undefined;
  const subject = subjectOf(asked);
  return waiting.answers.find(({ to }) => sameJson(subjectOf(to), subject))?.answer;
}

/** The answers of an agent, except those to the same kind of question of the same call. */
export function otherAnswers(
  waiting: StoredWaiting | undefined,
  { type, tool_use_id }: WaitingFor,
): readonly GivenAnswer[] {
  return (waiting?.answers ?? []).filter(({ to }) => to.type !== type || to.tool_use_id !== tool_use_id);
}

/** What is asked, as a store would return it. The wording of the reason does not count. */
function subjectOf(waiting: WaitingFor): unknown {
  const subject: unknown = JSON.parse(JSON.stringify(waiting));
  return isRecord(subject) ? { ...subject, reason: undefined } : subject;
}
