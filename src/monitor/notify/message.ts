import { basename } from "node:path";
import { capText } from "../../core/base/text.ts";
import type { DecisionOption } from "../../core/contracts/questions.ts";
import { readQuestion } from "../../core/contracts/questions.ts";
import type { Redactor } from "../../node/records/redact.ts";
import { harmless, harmlessLine, quoted } from "../../shared/harmless.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import { agentName } from "../agent-name.ts";
import { isCarriedOut } from "../report/actions.ts";
import { SOURCES } from "../report/sources.ts";
import { AWAY, type Button, type Notice } from "./channel.ts";

/** How to answer a decision that no channel can answer. */
export function elsewhere({ only_at_terminal }: HumanRequest): string {
  return only_at_terminal === true
    ? "This agent takes an answer to this only at its own terminal."
    : "Answer it in the agent's own terminal.";
}

const MOST_QUESTION = 2000;
const MOST_OPTION = 200;
const MOST_LABEL = 40;

/**
 * The messages that tell about a decision, without secrets: one for each question, and more where the buttons do not fit
 * into one. Without buttons, one message says all.
 */
export function noticesOf(
  decision: HumanRequest,
  redactor: Redactor,
  { buttons }: { readonly buttons?: number },
): readonly Notice[] {
  const clean = withoutSecrets(decision, redactor);
  const asked = askedIn(clean);
  if (buttons === undefined) {
    const how = clean.only_at_terminal === true ? [elsewhere(clean)] : [];
    const whole = paragraphs(...asked.map((one) => one.text), ...how);
    return [noticeOf(clean, 0, { question: 0, text: whole, options: [], several: false, from: 0 })];
  }
  const room = clean.hidden === true ? buttons - 1 : buttons;
  return asked.flatMap((one) => pagesOf(one, room)).map((page, part) => noticeOf(clean, part, page));
}

interface Asked {
  readonly question: number;
  readonly text: string;
  readonly options: readonly DecisionOption[];
  readonly several: boolean;
}

interface Page extends Asked {
  /** How many options are on the pages before. */
  readonly from: number;
}

function askedIn({ questions = [], options }: HumanRequest): readonly Asked[] {
  if (questions.length === 0) return [{ question: 0, text: listed(options), options, several: false }];
  return questions.map((asked, at) => {
    const { question = "", options: own, several } = readQuestion(asked);
    const count = questions.length > 1 ? `Question ${at + 1} of ${questions.length}:\n` : "";
    const text = paragraphs(`${count}${quoted(capText(question, MOST_QUESTION))}`, listed(own));
    return { question: at, text, options: own, several };
  });
}

/** The texts that say something, with an empty line between them. */
export function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** The body of a webhook, and the stdin of a command. */
export function bodyOf(
  event: "decision.opened" | "decision.at_terminal" | "decision.closed",
  { id, decision, title, context, text }: Notice,
): string {
  return JSON.stringify({ v: 1, id, event, title, text: paragraphs(context, text), decision });
}

/**
 * What a message shows between other texts, as much of it as fits: what led to the question is cut first.
 *
 * @param fits whether a whole message is short enough.
 */
export function fitted(
  { context, text }: Pick<Notice, "context" | "text">,
  whole: (shown: string) => string,
  fits: (message: string) => boolean,
): string {
  const cuts = [
    (most: number) => paragraphs(capText(context, most), text),
    (most: number) => capText(text, most),
  ];
  for (const cut of cuts)
    for (let most = Math.max(context.length, text.length); most > 1; most = Math.floor(most * 0.8)) {
      const message = whole(cut(most));
      if (fits(message)) return message;
    }
  return whole("…");
}

function pagesOf(asked: Asked, buttons: number): readonly Page[] {
  const starts = asked.options.flatMap((_, at) => (at % buttons === 0 ? [at] : []));
  return (starts.length === 0 ? [0] : starts).map((from) => ({
    ...asked,
    text:
      from === 0 ? asked.text : `More options:\n${listed(asked.options.slice(from, from + buttons), from)}`,
    options: asked.options.slice(from, from + buttons),
    from,
  }));
}

function noticeOf(decision: HumanRequest, part: number, page: Page): Notice {
  const { id, source, cwd, prompt, at_terminal } = decision;
  const answerable = (prompt !== undefined && at_terminal !== true) || isCarriedOut(decision);
  const name = agentName(decision);
  const where = cwd === undefined || name !== decision.agent_id ? "" : ` in ${basename(cwd)}`;
  return {
    id: `${id}.${part}`,
    decision,
    question: page.question,
    title: harmlessLine(`${capText(name, 60)} ${SOURCES[source].title}${where}`),
    context: page.question === 0 && page.from === 0 ? quoted(decision.context) : "",
    text: page.text,
    buttons: answerable ? [...page.options.map(buttonIn(page)), ...waitButton(decision)] : [],
    several: page.several,
    answerable,
  };
}

function buttonIn({ from }: Page) {
  return ({ label }: DecisionOption, at: number): Button => ({
    // Services refuse a message that has a button without a text.
    label: capText(harmlessLine(label), MOST_LABEL) || String(from + at + 1),
    choice: String(from + at + 1),
  });
}

/** A wait that hides the agent's own dialog is short, unless its user is away. */
function waitButton({ hidden }: HumanRequest): readonly Button[] {
  return hidden === true ? [{ label: "I'm away: wait for me", choice: AWAY }] : [];
}

function listed(options: readonly DecisionOption[], from = 0): string {
  return options
    .map(({ label, description }, at) =>
      capText(
        harmlessLine(`${from + at + 1}. ${label}${description === undefined ? "" : `: ${description}`}`),
        MOST_OPTION,
      ),
    )
    .join("\n");
}

/** A decision that may leave this machine. Its ids and its folder stay as they are. */
function withoutSecrets(decision: HumanRequest, redactor: Redactor): HumanRequest {
  const { context, questions, resolved } = decision;
  const clean = (value: unknown): unknown =>
    value === undefined
      ? undefined
      : JSON.parse(JSON.stringify(redactor.value(value)), (_, part: unknown) =>
          typeof part === "string" ? harmless(part) : part,
        );
  return {
    ...decision,
    context: harmless(redactor.text(context)),
    ...(questions === undefined ? {} : { questions: questions.map(clean) }),
    ...(resolved === undefined
      ? {}
      : { resolved: { ...resolved, by: harmlessLine(resolved.by), answer: clean(resolved.answer) } }),
  };
}
