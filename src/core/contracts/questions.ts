import { isRecord } from "../base/json.ts";
import type { DecisionOption } from "./monitor.ts";

/** One question of an agent. */
interface Question {
  readonly question?: string;
  readonly header?: string;
  readonly options: readonly DecisionOption[];
  /** True when several options may be chosen. */
  readonly several: boolean;
}

/** Reads a question as agents write it: an object with options, or a text. */
export function readQuestion(asked: unknown): Question {
  if (!isRecord(asked))
    return { options: [], several: false, ...(typeof asked === "string" ? { question: asked } : {}) };
  const { question, header, options, multiSelect, multi_select } = asked;
  return {
    ...(typeof question === "string" ? { question } : {}),
    ...(typeof header === "string" ? { header } : {}),
    options: readOptions(options),
    several: multiSelect === true || multi_select === true,
  };
}

/** Options are labels, or objects with a label. */
function readOptions(options: unknown): readonly DecisionOption[] {
  const all: readonly unknown[] = Array.isArray(options) ? options : [];
  return all.flatMap((option) => {
    if (typeof option === "string") return [{ label: option }];
    if (!isRecord(option) || typeof option.label !== "string") return [];
    const { label, description } = option;
    return [{ label, ...(typeof description === "string" ? { description } : {}) }];
  });
}

/**
 * Reads what a person says to a question: the number of an option from 1 on, its label, or any other text; `{ label }` is
 * a label whatever it looks like. `wrong` is what means nothing.
 */
export function readQuestionAnswer(
  { options, several }: Pick<Question, "options" | "several">,
  said: unknown,
): { readonly answer: string } | { readonly wrong: string } {
  const answers: string[] = [];
  for (const part of partsOf(said, several)) {
    const label = isRecord(part) && typeof part.label === "string" ? part.label : chosenOf(options, part);
    if (label === undefined) return { wrong: String(part) };
    answers.push(label);
  }
  return answers.length === 0 ? { wrong: String(said) } : { answer: answers.join(", ") };
}

function partsOf(said: unknown, several: boolean): readonly unknown[] {
  if (Array.isArray(said)) return said;
  const isList = several && typeof said === "string" && /^[\d\s,]+$/.test(said);
  return isList ? said.split(/[\s,]+/).filter((part) => part !== "") : [said];
}

function chosenOf(options: readonly DecisionOption[], said: unknown): string | undefined {
  const text = typeof said === "string" || typeof said === "number" ? String(said).trim() : "";
  return text === ""
    ? undefined
    : (optionOf(options, text) ?? (isNumberOf(options, text) ? undefined : text));
}

/** The label of the option with this number or label. */
export function optionOf(options: readonly DecisionOption[], said: string): string | undefined {
  if (isNumberOf(options, said)) return options[Number(said) - 1]?.label;
  const wanted = said.toLowerCase();
  return options.find(({ label }) => label.toLowerCase() === wanted)?.label;
}

function isNumberOf(options: readonly DecisionOption[], said: string): boolean {
  return options.length > 0 && /^\d+$/.test(said);
}

/** `1 Blue, 2 Red`. */
export function optionsText(options: readonly DecisionOption[]): string {
  return options.map(({ label }, at) => `${at + 1} ${label}`).join(", ");
}
