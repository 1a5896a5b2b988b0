import { isRecord } from "../../../core/base/json.ts";
import type { QuestionAnswers } from "../../../core/contracts/approval.ts";
import {
  choiceQuestion,
  chosenOption,
  readQuestion,
  readQuestionAnswer,
} from "../../../core/contracts/questions.ts";
import type { UserQuestion } from "../../../core/contracts/tool.ts";
import type { Choose } from "../../../core/decide/fired-event.ts";
import { ITS_USER } from "../../../shared/person-answer.ts";
import type { ToolCallPart } from "../../messages/messages.ts";
import { TurnSuspended } from "../../turn-ended.ts";
import type { WaitingFor } from "../../waiting-for.ts";
import { answerTo } from "../session/answers.ts";
import { inTime, NOBODY, promptHuman } from "../session/ask-human.ts";
import { emit, type Turn } from "../session/session.ts";

/** The call that asks, or the hook that asks about it. */
type Asking = Pick<ToolCallPart, "tool_use_id" | "tool_name"> & { readonly hook?: string };

/**
 * Asks the user questions of a call: a stored answer counts, then one of a hook, then the user's.
 *
 * @throws TurnEnded when the agent is suspended for the answer, or the turn is over.
 */
export async function askUser(
  turn: Turn,
  { tool_use_id, tool_name, hook }: Asking,
  questions: readonly UserQuestion[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { session } = turn;
  const waits: WaitingFor = { type: "question", tool_use_id, tool_name, questions, hook };
  const given = answersOf(answerTo(session, waits), questions);
  if (given !== undefined) return given;
  const first = questions[0]?.question ?? "";
  const prompt = { prompt_type: "question", question: questions, waits } as const;
  const { answer } = await promptHuman(turn, prompt, first);
  const answered = answersOf(answer, questions);
  if (answered !== undefined) return answered;
  const { askUser: ask, suspend, approval: time } = session.options;
  if (ask === undefined && suspend === true) throw new TurnSuspended(waits);
  if (ask === undefined) return undefined;
  emit(session, { type: "question", questions });
  const began = session.clock.monotonic();
  const reply = await inTime(session, "question", turn.signal, (until) =>
    ask(questions, AbortSignal.any([signal, until])),
  );
  if (reply !== NOBODY) {
    const { by, given: told } = whoseAnswers(reply);
    const answers = answersOf(told, questions);
    const asked_ms = session.clock.monotonic() - began;
    if (answers !== undefined)
      emit(session, { type: "person_answer", tool_use_id, done: "answered", by, asked_ms });
    return answers;
  }
  const byDefault = defaultAnswers(time?.answers, questions);
  if (byDefault === undefined && suspend === true) throw new TurnSuspended(waits);
  return byDefault;
}

/**
 * Has the user choose one of the options of a hook that asks about a call: through `askUser` of the agent's options; without
 * it, and without `suspend`, the hook asks for a yes or no.
 *
 * @throws TurnSuspended when the turn waits for the choice, TurnEnded when a hook ends the run or the turn is over.
 */
export async function chooseOption(
  turn: Turn,
  { tool_use_id, tool_name }: ToolCallPart,
  asked: Parameters<Choose>[0],
): Promise<Awaited<ReturnType<Choose>>> {
  const question = choiceQuestion(asked);
  const asking = { tool_use_id, tool_name, hook: asked.hook };
  const answers = await askUser(turn, asking, [question], turn.signal);
  const read = readQuestionAnswer(readQuestion(question), answers?.[question.question]);
  return "answer" in read ? chosenOption(asked.options, read.answer) : undefined;
}

/** The default answers; numbers choose options. */
function defaultAnswers(answers: QuestionAnswers | undefined, questions: readonly UserQuestion[]) {
  const given = answersOf(answers, questions);
  if (given === undefined) return undefined;
  return Object.fromEntries(
    questions.flatMap((one) => {
      const read = readQuestionAnswer(readQuestion(one), given[one.question]);
      return "answer" in read ? [[one.question, read.answer] as const] : [];
    }),
  );
}

/** Answers, and who gave them: the agent's own user unless they say otherwise. */
function whoseAnswers(reply: unknown): { readonly by: string; readonly given: unknown } {
  return isRecord(reply) && isRecord(reply.answers) && typeof reply.by === "string"
    ? { by: reply.by, given: reply.answers }
    : { by: ITS_USER, given: reply };
}

/** An answer is one text for all questions, or texts by question. */
export function answersOf(
  answer: unknown,
  questions: readonly UserQuestion[],
): Readonly<Record<string, string>> | undefined {
  if (typeof answer === "string")
    return Object.fromEntries(questions.map(({ question }) => [question, answer]));
  if (!isRecord(answer)) return undefined;
  return Object.fromEntries(Object.entries(answer).map(([question, text]) => [question, String(text)]));
}
