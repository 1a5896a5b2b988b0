import { isRecord, sameJson } from "../../core/base/json.ts";
import type { AgentSession } from "../session/session.ts";
import type { GivenAnswer, KeptWaiting, WaitingFor } from "../session/waiting-for.ts";

/** What a human is shown of what an agent waits for. */
export function shownWaiting(waiting: KeptWaiting): WaitingFor {
  const { not_started: _, answers: _answers, waiting_agent_id: _agent, ...waiting_for } = waiting;
  return waiting_for;
}

/** Remembers what a human says to what the agent waits for. */
export function giveAnswer(session: AgentSession, answer: unknown): void {
  const { pending } = session;
  const { waiting, unheard } = pending;
  // Who was told something else since is not waited for any more.
  if (waiting === undefined || unheard !== undefined || answer === undefined) return;
  const to = shownWaiting(waiting);
  pending.waiting = { ...waiting, answers: [...answersBeside(waiting, to), { to, answer }] };
}

/**
 * What a human has said to a question, `undefined` when they were not asked this one: an answer to another input, plan or
 * question is none to it.
 */
export function answerTo({ pending: { waiting } }: AgentSession, asked: WaitingFor): unknown {
  if (waiting?.answers === undefined) return undefined;
  const subject = subjectOf(asked);
  return waiting.answers.find(({ to }) => sameJson(subjectOf(to), subject))?.answer;
}

/** The answers an agent has, but for those to the same kind of question of the same call. */
export function answersBeside(
  waiting: KeptWaiting | undefined,
  { type, tool_use_id }: WaitingFor,
): readonly GivenAnswer[] {
  return (waiting?.answers ?? []).filter(({ to }) => to.type !== type || to.tool_use_id !== tool_use_id);
}

/** What is asked, as a store would give it back. Why it is asked may be said in other words each time. */
function subjectOf(waiting: WaitingFor): unknown {
  const subject: unknown = JSON.parse(JSON.stringify(waiting));
  return isRecord(subject) ? { ...subject, reason: undefined } : subject;
}
