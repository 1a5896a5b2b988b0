import { isRecord } from "../../core/base/json.ts";
import { yesOrNo } from "../../core/base/yes-or-no.ts";
import type { PromptType } from "../../core/contracts/questions.ts";
import { readQuestion, readQuestionAnswer } from "../../core/contracts/questions.ts";
import { userName } from "../../node/identity/user-name.ts";
import { harmlessLine } from "../../shared/harmless.ts";
import { ITS_USER } from "../../shared/person-answer.ts";
import type { Answerer } from "./ask.ts";
import { NOBODY } from "./endings.ts";

type Input = Readonly<Record<string, unknown>>;

export interface PromptAnswer {
  readonly action: "allow" | "deny";
  readonly reason?: string;
  /** The input of the call with the answers in it. */
  readonly input?: Input;
}

/**
 * Turns an answer into a decision on the call that waits for it: a question is allowed with its answers; a plan or a
 * permission is allowed, or denied with who refused it and what to do instead. `undefined` when the answer does not fit
 * the prompt.
 */
export function promptAnswer(
  type: PromptType,
  input: Input,
  answer: unknown,
  who: Answerer = {},
): PromptAnswer | undefined {
  switch (type) {
    case "question": {
      const answers = answersTo(input.questions, answer);
      return answers && { action: "allow", input: { ...input, answers: markedBy(answers, who) } };
    }
    case "plan_approval":
      return agreed(answer, who, "The plan was refused", "The plan was sent back");
    case "permission":
      return withInput(agreed(answer, who, "This call was refused"), answer);
    case "idle":
    case "other":
      return undefined;
    default:
      return type satisfies never;
  }
}

function agreed(
  answer: unknown,
  who: Answerer,
  refused: string,
  refusedWithWords = refused,
): PromptAnswer | undefined {
  const verdict = yesOrNo(answer);
  if (verdict === undefined) return undefined;
  if (verdict === true) return { action: "allow" };
  const reason = verdict ? `${refusedWithWords}${byWhom(who)}: ${verdict}` : `${refused}${byWhom(who)}.`;
  return { action: "deny", reason };
}

/** A permission may be given for another input. */
function withInput(judged: PromptAnswer | undefined, answer: unknown): PromptAnswer | undefined {
  const input = judged?.action === "allow" && isRecord(answer) ? answer.input : undefined;
  return judged !== undefined && isRecord(input) ? { ...judged, input } : judged;
}

const DEFAULT_MARK = "(the default: nobody answered in time)";

/** Answers as a model reads them: a default is no choice of its user. */
function markedBy(answers: Readonly<Record<string, string>>, { channel }: Answerer) {
  if (channel !== NOBODY.channel) return answers;
  return Object.fromEntries(Object.entries(answers).map(([key, text]) => [key, `${text} ${DEFAULT_MARK}`]));
}

/** What the model reads when an approval is a default; `undefined` for a person's answer, or when the answer says it itself. */
export function unaskedText(
  type: PromptType,
  { action }: PromptAnswer,
  { channel }: Answerer,
): string | undefined {
  if (channel !== NOBODY.channel || action !== "allow" || type === "question") return undefined;
  const what =
    type === "plan_approval" ? "The plan was accepted" : "The last call that needed a permission was allowed";
  return `${what} by default: nobody answered in time. Your user has not seen it.`;
}

/** ` by anna`, as a part of a sentence that a model reads. */
export function byWhom({ by, channel }: Answerer): string {
  if (channel === NOBODY.channel) return ", since nobody answered in time";
  return ` by ${by === undefined ? "the user" : harmlessLine(by)}`;
}

/** Who has answered, for the record: `user` for whose agent it is. */
export function personOf({ by }: Answerer): string {
  return by === undefined || by === userName() ? ITS_USER : by;
}

/** One string for one question, a list with one for each, or strings by question or heading; all or nothing. */
export function answersTo(questions: unknown, answer: unknown): Readonly<Record<string, string>> | undefined {
  const asked = (Array.isArray(questions) ? questions : []).map(readQuestion);
  const given = isRecord(answer)
    ? asked.map(({ question = "", header = "" }) => answer[question] ?? answer[header])
    : [answer].flat();
  if (asked.length === 0 || given.length !== asked.length) return undefined;
  const answers: Record<string, string> = {};
  for (const [index, one] of asked.entries()) {
    const read = readQuestionAnswer(one, given[index]);
    if (one.question === undefined || "wrong" in read) return undefined;
    answers[one.question] = read.answer;
  }
  return answers;
}
