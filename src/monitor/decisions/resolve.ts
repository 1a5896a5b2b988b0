import { isRecord, sameJson } from "../../core/base/json.ts";
import { didYouMean, nearestName } from "../../core/base/suggest.ts";
import { yesOrNo } from "../../core/base/yes-or-no.ts";
import type { DecisionOption } from "../../core/contracts/questions.ts";
import { optionOf, optionsText, readQuestion, readQuestionAnswer } from "../../core/contracts/questions.ts";
import type { DecisionSource } from "../../shared/monitor/decisions.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import { doesFor, labelFor, SOURCES } from "../report/sources.ts";

/** A human's choice: numbers from 1 on, labels or text, one for each question; and a message. */
export interface Choice {
  readonly choices: readonly string[];
  readonly message?: string;
  /** `call_digest` of the decision as the person has seen it. The answer is refused when the call is another one now. */
  readonly call?: string;
  /** What a permitted call is to be given instead. Rules judge it again. */
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Reads `{ choices, message?, input?, call? }`; `undefined` for anything else. */
export function readChoiceBody(body: unknown): Choice | undefined {
  if (!isRecord(body)) return undefined;
  const { choices = [], message, input, call } = body;
  if (!Array.isArray(choices) || choices.some((one) => typeof one !== "string")) return undefined;
  if (message !== undefined && typeof message !== "string") return undefined;
  if (input !== undefined && !isRecord(input)) return undefined;
  if (call !== undefined && typeof call !== "string") return undefined;
  return { choices: choices.map(String), message, input, call };
}

/** Reads what a person wrote as a choice: `label: message`, or anything that is a choice by itself. */
export function choiceOf({ options }: HumanRequest, written: string): Choice {
  const text = written.trim();
  if (text === "") return { choices: [] };
  const [, name = "", message = ""] = /^(\w+)\s*:\s*(.+)$/s.exec(text) ?? [];
  const isLabel = options.some(({ label }) => label.toLowerCase() === name.toLowerCase());
  return isLabel ? { choices: [name], message } : { choices: [text] };
}

/** What travels back to the agent, or why the choice can't be taken. */
export type ReadChoice =
  | { readonly answer: unknown }
  | {
      readonly problem: string;
      /** What is still missing. */
      readonly wants?: "message";
    };

export function readChoice(decision: HumanRequest, choice: Choice): ReadChoice {
  const { questions = [], options, tool_input, source } = decision;
  if (choice.input !== undefined) {
    const read = readOption(decision, { choices: choice.choices });
    if (tool_input === undefined) return { problem: "The input of this call can't be changed from here." };
    if (!("answer" in read) || !sameJson(read.answer, { allow: true }))
      return { problem: `An input goes with ${labelFor(source, "allow")}.` };
    return { answer: { allow: true, input: choice.input } };
  }
  if (questions.length > 0) return readAnswers(questions, choice);
  if (options.length === 0) return freeText(choice);
  return readOption(decision, choice);
}

/** One of the options of the decision's source, yes or no, or the text of an option. */
function readOption({ source, options }: HumanRequest, choice: Choice): ReadChoice {
  const { choices, message } = choice;
  const [given, ...more] = choices;
  const { text: standsFor } = SOURCES[source];
  const label = given === undefined || more.length > 0 ? undefined : labelOf(source, options, given);
  if (label !== undefined) return answerWith(source, label, message);
  const labels = options.map((option) => option.label);
  if (standsFor !== undefined && labels.includes(standsFor) && isText(choice, labels)) {
    const read = freeText(choice);
    return "problem" in read ? read : answerWith(source, standsFor, read.answer);
  }
  if (given === undefined) return { problem: `Choose one of ${optionsText(options)}.` };
  if (more.length > 0) return { problem: "Choose one option; -m takes a message." };
  return {
    problem: `There is no option ${JSON.stringify(given)}.${didYouMean(given, labels)} Choose one of ${optionsText(options)}.`,
  };
}

function labelOf(
  source: DecisionSource,
  options: readonly DecisionOption[],
  given: string,
): string | undefined {
  const option = optionOf(options, given);
  const answer = yesOrNo(given);
  if (option !== undefined || typeof answer !== "boolean") return option;
  return labelFor(source, answer ? "allow" : "refuse");
}

/** False for a number, and for a word that is a misspelt option. */
function isText({ choices, message }: Choice, labels: readonly string[]): boolean {
  const [given, ...more] = choices;
  if (given === undefined) return message !== undefined;
  return !/^\d+$/.test(given) && (more.length > 0 || nearestName(given, labels) === undefined);
}

function answerWith(source: DecisionSource, label: string, message: string | undefined): ReadChoice {
  const does = doesFor(source, label);
  switch (does) {
    case "allow":
      return { answer: { allow: true } };
    case "revise":
      if (message === undefined) return { problem: "Say what to change with -m.", wants: "message" };
      return { answer: { allow: false, feedback: message } };
    case "refuse":
    case undefined:
      return { answer: { allow: false, ...(message === undefined ? {} : { feedback: message }) } };
    default:
      return { answer: { choice: label, message } };
  }
}

function freeText({ choices, message }: Choice): { readonly answer: string } | { readonly problem: string } {
  const text = [...choices, ...(message === undefined ? [] : [message])].join(" ").trim();
  return text === "" ? { problem: "Give an answer." } : { answer: text };
}

function readAnswers(questions: readonly unknown[], { choices, message }: Choice): ReadChoice {
  const given = choices.length === 0 && message !== undefined ? [message] : choices;
  if (given.length === 0) return { problem: `Give ${wantedFor(questions)}.` };
  if (given.length !== questions.length)
    return {
      problem:
        questions.length === 1
          ? "There is one question: give one answer."
          : `There are ${questions.length} questions: give one answer for each.`,
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

function wantedFor([first, ...more]: readonly unknown[]): string {
  if (more.length > 0) return `${more.length + 1} answers, one for each question`;
  const { options } = readQuestion(first);
  return options.length === 0 ? "an answer" : `an answer: one of ${optionsText(options)}, or any text`;
}

/** An answer as its hook reads it: the labels of questions are no numbers of options, such as "3". */
export function writtenAnswer(questions: HumanRequest["questions"], answer: unknown): unknown {
  return questions === undefined ? answer : [answer].flat().map((label: unknown) => ({ label }));
}

/** The other direction of {@link writtenAnswer}. */
export function answerWritten(questions: HumanRequest["questions"], written: unknown): unknown {
  if (questions === undefined || !Array.isArray(written)) return written;
  const labels: readonly unknown[] = written.map((one) => (isRecord(one) ? one.label : one));
  return labels.length === 1 ? labels[0] : labels;
}
