import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import type { DecisionOption, HumanDecision } from "../../core/contracts/monitor.ts";

/** A human's choice: numbers from 1 on, labels or text, one for each question; and a message. */
export interface Choice {
  readonly choices: readonly string[];
  readonly message?: string;
}

/** What travels back to the agent, or why the choice can't be taken. */
export type ReadChoice = { readonly answer: unknown } | { readonly problem: string };

/** Reads a human's choice as an answer to a decision. */
export function readChoice(decision: HumanDecision, choice: Choice): ReadChoice {
  const { questions = [], options } = decision;
  if (questions.length > 0) return answersTo(questions, choice);
  const { choices, message } = choice;
  if (options.length === 0) return freeText(choice);
  const [given, ...more] = choices;
  if (given === undefined) return { problem: `Choose one of ${labels(options)}.` };
  if (more.length > 0) return { problem: "Choose one option; -m takes a message." };
  const label = chosen(options, given);
  if (label === undefined)
    return {
      problem: `There is no option ${JSON.stringify(given)}.${didYouMean(
        given,
        options.map((option) => option.label),
      )} Choose one of ${labels(options)}.`,
    };
  if (label === "revise" && message === undefined) return { problem: "Say what to change with -m." };
  return { answer: answerOf(label, message) };
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
    const options = optionsOf(questions[at]);
    const parts = takesSeveral(questions[at]) && /^[\d\s,]+$/.test(one) ? one.split(/[\s,]+/) : [one];
    const wrong = parts.find(
      (part) => isNumber(part) && options.length > 0 && chosen(options, part) === undefined,
    );
    if (wrong !== undefined)
      return { problem: `There is no option ${wrong}. Choose one of ${labels(options)}.` };
    answers.push(parts.map((part) => chosen(options, part) ?? part).join(", "));
  }
  return { answer: answers.length === 1 ? answers[0] : answers };
}

function takesSeveral(question: unknown): boolean {
  return isRecord(question) && question.multiSelect === true;
}

/** The options of one question of an agent. */
export function optionsOf(question: unknown): readonly DecisionOption[] {
  const options: readonly unknown[] =
    isRecord(question) && Array.isArray(question.options) ? question.options : [];
  return options.flatMap((option) => {
    if (typeof option === "string") return [{ label: option }];
    if (!isRecord(option) || typeof option.label !== "string") return [];
    const { label, description } = option;
    return [{ label, ...(typeof description === "string" ? { description } : {}) }];
  });
}

function chosen(options: readonly DecisionOption[], given: string): string | undefined {
  if (isNumber(given)) return options[Number(given) - 1]?.label;
  const wanted = given.toLowerCase();
  return options.find(({ label }) => label.toLowerCase() === wanted)?.label;
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

function labels(options: readonly DecisionOption[]): string {
  return options.map(({ label }, at) => `${at + 1} ${label}`).join(", ");
}
