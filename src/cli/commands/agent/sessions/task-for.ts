import { storedState } from "../../../../agent/conversation/restore.ts";
import { type HumanAnswer, shownWaiting, waitingCall } from "../../../../agent/run/session/answers.ts";
import type { Approval, WaitingFor } from "../../../../agent.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { yesOrNo } from "../../../../core/base/yes-or-no.ts";
import type { Transcript, TranscriptStore } from "../../../../core/contracts/transcript.ts";
import { flagOption, type Invocation } from "../../../command-line/command.ts";
import { mustBePerson } from "../../../command-line/person.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import type { Task } from "../run/open-agent.ts";
import { answerLine, questionLines } from "../run/result-lines.ts";

/**
 * What a message means to a session: the answer it waits for, or something new. Without one the session continues.
 *
 * @throws TenterhookError `not_a_person` when an agent would answer; `answer_missing` when it waits for a human and nobody can be asked; `usage_error` without a
 * message when it has nothing left to do.
 */
export async function taskFor(
  session: Transcript,
  message: string,
  invocation: Invocation,
  store: TranscriptStore,
): Promise<Task> {
  const { metadata } = session;
  const { agent_id } = metadata;
  const { waiting, unfinished } = storedState(session);
  if (waiting !== undefined && message !== "") {
    await mustBePerson(invocation);
    return answerFrom(shownWaiting(waiting), message);
  }
  if (waiting !== undefined && metadata.status === "suspended" && (await isOpen(store, waiting))) {
    const waiting_for = shownWaiting(waiting);
    if (canAsk(waiting_for, invocation)) return {};
    throw new TenterhookError(
      "answer_missing",
      [`Session ${agent_id} waits for an answer.`, ...questionLines(waiting_for)].join("\n"),
      { hint: answerLine(agent_id, waiting_for) },
    );
  }
  if (message !== "") return message;
  if (unfinished) return {};
  throw usageError(
    `Session ${agent_id} has ended (${metadata.status}); there is nothing to continue.`,
    `Send it a message: tenterhook sessions resume ${agent_id} "a message".`,
  );
}

/** A message as the answer to what a session waits for: words that say yes or no, or what is to be done instead. */
export function answerFrom(waiting_for: WaitingFor, message: string): HumanAnswer {
  const { type, tool_use_id, ask } = waitingCall(waiting_for);
  const call = { tool_use_id, ...(ask === undefined ? {} : { ask }) };
  return type === "question" ? { ...call, answers: message } : { ...call, approval: approvalOf(message) };
}

/** Reads an answer: anything but yes refuses, and other words are for the model. */
export function approvalOf(line: string): Approval {
  const typed = line.trim();
  const answer = /^o$/i.test(typed) || yesOrNo(typed);
  return typeof answer === "string" ? { allow: false, feedback: answer } : answer === true;
}

/** False for a subagent that was already answered by its own id. */
async function isOpen(store: TranscriptStore, waiting: WaitingFor): Promise<boolean> {
  if (waiting.type !== "subagent") return true;
  const child = await store.load(waiting.agent_id);
  const state = child?.metadata.status === "suspended" ? storedState(child) : undefined;
  return state?.waiting !== undefined && isOpen(store, state.waiting);
}

/** True when the question can be asked again. `--yes` approves; it does not answer questions. */
function canAsk(waiting_for: WaitingFor, invocation: Invocation): boolean {
  if (invocation.screen.interactive && !invocation.json) return true;
  if (waiting_for.type === "subagent") return canAsk(waiting_for.waiting_for, invocation);
  return waiting_for.type !== "question" && flagOption(invocation, "yes");
}
