import { isTenterhookError, type TenterhookError } from "../../core/base/errors.ts";
import { sameJson } from "../../core/base/json.ts";
import { readQuestion } from "../../core/contracts/questions.ts";
import type { HumanRequest, MonitorStore } from "../../shared/monitor/monitor.ts";
import { answerText, receiptOf, refusalOf } from "../decisions/receipt.ts";
import { choiceOf, readChoice } from "../decisions/resolve.ts";
import type { Monitor } from "../monitor.ts";
import { comeBack, goAway } from "../report/away.ts";
import { AWAY, type ChannelAnswer, type ChannelReply } from "./channel.ts";

/**
 * Takes what a person wrote on a channel as the answer to exactly the decision that they were asked, and says what became
 * of it. The answers to several questions are collected until all are there.
 *
 * @throws what the store throws.
 */
export async function takeAnswer(
  store: MonitorStore,
  monitor: Pick<Monitor, "resolve">,
  given: ChannelAnswer,
): Promise<ChannelReply> {
  const { channel, by } = given;
  const noted = await store.update((tables): Taken => {
    const decision = tables.decision(given.decision);
    const wasAsked = tables.deliveries(given.decision).some((row) => row.channel === channel.key);
    if (decision === undefined || !wasAsked) return { refused: "There is no such decision." };
    if (decision.state !== "open") return { decision };
    const taken = withAnswer(decision, given);
    if ("decision" in taken && taken.decision !== decision) tables.putDecision(taken.decision);
    return taken;
  });
  if ("refused" in noted) return { text: noted.refused, taken: false };
  const { decision } = noted;
  if (decision.state !== "open") return closed(decision, given);
  const missing = (decision.given ?? []).filter((one) => one === null).length;
  if (missing > 0) {
    const left = missing === 1 ? "One question is" : `${missing} questions are`;
    return { text: `Noted: ${noted.label ?? given.text}. ${left} left.`, taken: true };
  }
  const choice =
    decision.given === undefined
      ? choiceFor(decision, given.text)
      : { choices: decision.given.map((one) => one ?? "") };
  try {
    const resolved = await monitor.resolve(decision.id, choice, { by, channel: channel.type });
    return { text: `Answered: ${answerText(resolved)}. ${receiptOf(resolved).text}`, taken: true };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const now = await store.update((tables) => tables.decision(decision.id) ?? decision);
    return now.state === "open" ? { text: error.message, taken: false } : closed(now, given);
  }
}

/** True when an answer can't be taken, now or later; false when only the store failed. */
export function isRefusal(error: unknown): error is TenterhookError {
  return isTenterhookError(error) && error.code !== "store_failed";
}

type Taken =
  | { readonly refused: string }
  | { readonly decision: HumanRequest /** What was understood. */; readonly label?: string };

/** The decision with the answer to one of several questions; unchanged when it has only one. */
function withAnswer(decision: HumanRequest, { question, text }: ChannelAnswer): Taken {
  const { questions = [], given } = decision;
  const asked = questions.length > 1 ? { ...decision, questions: [questions[question]] } : decision;
  if (questions.length > 1 && questions[question] === undefined)
    return { refused: "There is no such question." };
  const choice = choiceFor(asked, text);
  const read = readChoice(asked, choice);
  if ("problem" in read) {
    const isShort = read.wants === "message";
    return { refused: isShort ? "Reply to the plan with what is to be changed." : read.problem };
  }
  if (questions.length <= 1) return { decision };
  const before = given ?? questions.map(() => null);
  const next = before.map((one, at) => (at === question ? (choice.choices[0] ?? null) : one));
  return { decision: { ...decision, given: next }, label: String(read.answer) };
}

/** Messages number the options, and buttons send numbers: here a number is never a label. */
function choiceFor(decision: HumanRequest, text: string) {
  const choice = choiceOf(decision, text);
  const [first = ""] = choice.choices;
  const [question] = decision.questions ?? [];
  const { options, several } =
    question === undefined ? { options: decision.options, several: false } : readQuestion(question);
  if (!(several ? /^[\d\s,]+$/ : /^\d+$/).test(first)) return choice;
  const numbers = first.match(/\d+/g) ?? [];
  const labels = numbers.flatMap((number) => options[Number(number) - 1]?.label ?? []);
  return labels.length < numbers.length || labels.length === 0
    ? choice
    : { ...choice, choices: [labels.join(", ")] };
}

/** A tap that arrives twice is no second answer. */
function closed(decision: HumanRequest, { text, question, channel, by }: ChannelAnswer): ChannelReply {
  const { state, resolved, questions = [] } = decision;
  const late = { text: refusalOf(decision).text, taken: false };
  if (state !== "resolved") return late;
  const asked = questions.length > 1 ? { ...decision, questions: [questions[question]] } : decision;
  const read = readChoice(asked, choiceFor(asked, text));
  const given = questions.length > 1 ? [resolved?.answer].flat()[question] : resolved?.answer;
  const isSame =
    resolved?.channel === channel.type &&
    resolved.by === by &&
    "answer" in read &&
    sameJson(read.answer, given);
  return isSame ? { text: `Answered: ${answerText(decision)}.`, taken: true } : late;
}

const BACK = "/back";

/**
 * Takes such a word; `undefined` for any other text.
 *
 * @throws the file system's error.
 */
export async function takePresence(
  text: string,
  environment: NodeJS.ProcessEnv,
): Promise<ChannelReply | undefined> {
  const word = text.trim().toLowerCase();
  if (word === AWAY) {
    await goAway(environment);
    return { text: `You are away: questions wait for your answer here. ${BACK} ends it.`, taken: true };
  }
  if (word !== BACK) return undefined;
  comeBack(environment);
  return { text: "You are back: agents show their own dialogs soon.", taken: true };
}
