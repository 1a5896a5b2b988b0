import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import type { HumanDecision } from "../../core/contracts/monitor.ts";
import { optionOf, optionsText, readQuestion, readQuestionAnswer } from "../../core/contracts/questions.ts";
import { doesFor, SOURCES } from "./sources.ts";

/** A human's choice: numbers from 1 on, labels or text, one for each question; and a message. */
export interface Choice {
  readonly choices: readonly string[];
  readonly message?: string;
}

/** Reads `{ choices, message? }`; `undefined` for anything else. */
export function readChoiceBody(body: unknown): Choice | undefined {
  if (!isRecord(body)) return undefined;
  const { choices = [], message } = body;
  if (!Array.isArray(choices) || choices.some((one) => typeof one !== "string")) return undefined;
  if (message !== undefined && typeof message !== "string") return undefined;
  return { choices: choices.map(String), ...(message === undefined ? {} : { message }) };
}

/** What travels back to the agent, or why the choice can't be taken. */
export type ReadChoice = { readonly answer: unknown } | { readonly problem: string };

/** Reads a human's choice as an answer to a decision. */
export function readChoice(decision: HumanDecision, choice: Choice): ReadChoice {
  const { questions = [], options } = decision;
  if (questions.length > 0) return answersTo(questions, choice);
  if (options.length === 0) return freeText(choice);
  return chosenOption(decision, choice);
}

/** One of the options of the decision's source, or the text that stands for one. */
function chosenOption({ source, options }: HumanDecision, { choices, message }: Choice): ReadChoice {
  const [given, ...more] = choices;
  const { text: standsFor } = SOURCES[source];
  const label = given === undefined || more.length > 0 ? undefined : optionOf(options, given);
  if (label === undefined && standsFor !== undefined && !/^\d+$/.test(given ?? "")) {
    const read = freeText({ choices, ...(message === undefined ? {} : { message }) });
    return "problem" in read ? read : { answer: { choice: standsFor, message: read.answer } };
  }
  if (given === undefined) return { problem: `Choose one of ${optionsText(options)}.` };
  if (more.length > 0) return { problem: "Choose one option; -m takes a message." };
  if (label === undefined)
    return {
      problem: `There is no option ${JSON.stringify(given)}.${didYouMean(
        given,
        options.map((option) => option.label),
      )} Choose one of ${optionsText(options)}.`,
    };
  if (label === "revise" && message === undefined) return { problem: "Say what to change with -m." };
  if (doesFor(source, label) === undefined) return { answer: answerOf(label, message) };
  return { answer: { choice: label, ...(message === undefined ? {} : { message }) } };
}

/** A plan and a permission are a matter of yes and no. */
function answerOf(label: string, message: string | undefined) {
  const allow = label === "accept" || label === "allow";
  return { allow, ...(allow || message === undefined ? {} : { feedback: message }) };
}

function freeText({ choices, message }: Choice): ReadChoice {
  const text = [...choices, ...(message === undefined ? [] : [message])].join(" ").trim();
  return text === "" ? { problem: "What is the answer?" } : { answer: text };
}

function answersTo(questions: readonly unknown[], { choices, message }: Choice): ReadChoice {
  const given = choices.length === 0 && message !== undefined ? [message] : choices;
  if (given.length !== questions.length)
    return {
      problem: `${questions.length === 1 ? "There is one question" : `There are ${questions.length} questions`}: give one answer for each.`,
    };
  const answers: string[] = [];
  for (const [at, one] of given.entries()) {
    const question = readQuestion(questions[at]);
    const read = readQuestionAnswer(question, one);
    if ("wrong" in read)
      return { problem: `There is no option ${read.wrong}. Choose one of ${optionsText(question.options)}.` };
    answers.push(read.answer);
  }
  return { answer: answers.length === 1 ? answers[0] : answers };
}
