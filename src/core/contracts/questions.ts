import { isRecord } from "../base/json.ts";
import { capText } from "../base/text.ts";
import { yesOrNo } from "../base/yes-or-no.ts";
import type { UserQuestion } from "./tool.ts";

/** Why an agent waits for a human. */
export const PROMPT_TYPES = ["plan_approval", "question", "permission", "idle", "other"] as const;
export type PromptType = (typeof PROMPT_TYPES)[number];

/** One of the answers that a human can choose. */
export interface DecisionOption {
  readonly label: string;
  readonly description?: string;
  readonly recommended?: true;
}

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

const MOST_OPTIONS = 20;
const MOST_CHARACTERS = 2000;

/** The problem with the options of a hook's ask; `undefined` when they are valid or absent. */
export function optionsFault(options: unknown): string | undefined {
  if (options === undefined) return undefined;
  if (!Array.isArray(options) || options.length === 0 || options.length > MOST_OPTIONS)
    return `its options are not a list of 1 to ${MOST_OPTIONS}`;
  const labels = readOptions(options).map(({ label }) => label.trim().toLowerCase());
  if (labels.length < options.length || labels.includes(""))
    return "an option is neither a string nor an object with a label";
  return new Set(labels).size === labels.length ? undefined : "two of its options have the same label";
}

/** Options are labels, or objects with a label. */
export function readOptions(options: unknown): readonly DecisionOption[] {
  const all: readonly unknown[] = Array.isArray(options) ? options : [];
  return all.flatMap((option) => {
    if (typeof option === "string") return [{ label: option }];
    if (!isRecord(option) || typeof option.label !== "string") return [];
    const { label, description, recommended } = option;
    const more = typeof description === "string" ? { description } : {};
    return [{ label, ...more, ...(recommended === true ? { recommended } : {}) }];
  });
}

/**
 * Reads what a person says to a question: the label of an option, its number from 1 on, or any other text; `{ label }` is
 * a label whatever it looks like. `wrong` is what means nothing.
 */
export function readQuestionAnswer(
  { options, several }: Pick<Question, "options" | "several">,
  reply: unknown,
): { readonly answer: string } | { readonly wrong: string } {
  const answers: string[] = [];
  for (const part of partsOf(reply, several)) {
    const label = isRecord(part) && typeof part.label === "string" ? part.label : chosenOf(options, part);
    if (label === undefined) return { wrong: String(part) };
    answers.push(label);
  }
  return answers.length === 0 ? { wrong: String(reply) } : { answer: answers.join(", ") };
}

function partsOf(reply: unknown, several: boolean): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  const isList = several && typeof reply === "string" && /^[\d\s,]+$/.test(reply);
  return isList ? reply.split(/[\s,]+/).filter((part) => part !== "") : [reply];
}

function chosenOf(options: readonly DecisionOption[], reply: unknown): string | undefined {
  const text = typeof reply === "string" || typeof reply === "number" ? String(reply).trim() : "";
  return text === ""
    ? undefined
    : (optionOf(options, text) ?? (isNumberOf(options, text) ? undefined : text));
}

/** The label of the option with this label, or else this number: a label such as "3" stays what it is. */
export function optionOf(options: readonly DecisionOption[], reply: string): string | undefined {
  const wanted = reply.toLowerCase();
  const named = options.find(({ label }) => label.trim().toLowerCase() === wanted)?.label;
  return named ?? (isNumberOf(options, reply) ? options[Number(reply) - 1]?.label : undefined);
}

function isNumberOf(options: readonly DecisionOption[], reply: string): boolean {
  return options.length > 0 && /^\d+$/.test(reply);
}

const REFUSE = { label: "deny", description: "It does not happen." } as const;

/** The question of a hook that asks with options. The human can always refuse, or say what is to be done instead. */
export function choiceQuestion({ reason = "Which?", options, event }: AskedForChoice): UserQuestion {
  const { tool_name, tool_input } = event;
  const about = typeof tool_name === "string" ? ` (${tool_name} ${JSON.stringify(tool_input)})` : "";
  const isRefusal = ({ label }: DecisionOption): boolean => label.toLowerCase() === REFUSE.label;
  return {
    question: capText(`${reason}${about}`, MOST_CHARACTERS),
    options: [...options, ...(options.some(isRefusal) ? [] : [REFUSE])],
  };
}

interface AskedForChoice {
  readonly reason?: string;
  readonly options: readonly DecisionOption[];
  readonly event: Readonly<Record<string, unknown>>;
}

/**
 * What an answer to such a question means, as `readQuestionAnswer` returns it: an option, or a refusal with what is to be
 * done instead. A yes means nothing.
 */
export function chosenOption(
  options: readonly DecisionOption[],
  answer: string,
): string | { readonly refused: string } | undefined {
  if (options.some(({ label }) => label === answer)) return answer;
  const agreed = yesOrNo(answer);
  if (agreed === true) return undefined;
  return { refused: typeof agreed === "string" ? agreed : "" };
}

/** `1 Blue, 2 Red`. */
export function optionsText(options: readonly DecisionOption[]): string {
  return options.map(({ label }, at) => `${at + 1} ${label}`).join(", ");
}
