import { once, setMaxListeners } from "node:events";
import { errorMessage, ignore, isPromise } from "../../core/base/error-text.ts";
import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import { ITS_USER, personAnswerText } from "../../shared/person-answer.ts";
import {
  askDaemon,
  askerOf,
  type GivenAnswer,
  lastReply,
  newAskKey,
  type WaitEnd,
  waitAtPrompt,
} from "../report/ask.ts";
import type { Prompt } from "../report/prompt.ts";
import type { AgentReports } from "./reports.ts";

const MOST_SHOWN = 200;

/** A question of our agent, which a human can answer at the agent or in the monitor. */
export interface RacedQuestion<Answer> {
  readonly prompt: Prompt & { readonly context?: string };
  /** Asks at the agent, in its terminal for example. The signal is aborted when somebody has answered elsewhere. */
  readonly here?: (signal: AbortSignal) => Answer | Promise<Answer>;
  /** Reads an answer of the monitor; `undefined` when it does not fit. */
  readonly read: (given: GivenAnswer) => Answer | undefined;
  /** What counts when nobody answers in time, for the record. */
  readonly fallback?: unknown;
  /** How long the agent waits; `undefined` for any time. */
  readonly seconds: number | undefined;
}

/**
 * Asks a human at the agent and in the monitor. The first answer counts; the other side is closed. An answer that is given
 * at once is not shown in the monitor.
 *
 * @throws what `here` throws; the signal's reason when it is aborted first.
 */
export async function raceAnswers<Answer>(
  reports: AgentReports,
  question: RacedQuestion<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  setMaxListeners(0, until);
  const begun = question.here?.(until);
  if (begun !== undefined && !isPromise(begun)) return begun;
  const local = begun === undefined ? undefined : (async (): Promise<Answer> => begun)();
  const key = newAskKey();
  const { seconds } = question;
  const prompt = reports.tell("agent:prompt", {
    ...question.prompt,
    ...(seconds === undefined ? {} : { waits_until: new Date(Date.now() + seconds * 1000).toISOString() }),
    ...{ pid: process.pid, asker: askerOf(key) },
  })?.id;
  if (prompt === undefined) {
    if (local === undefined) throw new Error("the monitor's folder can't be written");
    return local;
  }
  const ask = askDaemon(reports.environment);
  const asked = { id: prompt, key };
  const milliseconds = () => Number.POSITIVE_INFINITY;
  const remote = fromMonitor(waitAtPrompt({ ...asked, milliseconds }, ask, until), question, until);
  const sides = [remote, ...(local === undefined ? [] : [local.then((answer) => ({ answer }))])];
  try {
    const first = await Promise.race(sides);
    // The monitor may have answered in the same moment; then it was first.
    const given = "given" in first ? first.given : givenIn(await lastReply(asked, ask, signal));
    const faster = given && question.read(given);
    if (faster === undefined) {
      reports.tell("agent:answer", { prompt, answer: first.answer, by: "user", channel: "agent" });
      return first.answer;
    }
    reports.tell("agent:answer", { prompt, ...given, given_at: new Date().toISOString(), taken: true });
    over.abort(new Error(`Answered elsewhere: ${shown(faster)}.`));
    return faster;
  } catch (error) {
    reports.tell("agent:answer", { prompt, ...unanswered(signal, question.fallback, error) });
    throw error;
  } finally {
    over.abort();
    ignore(local);
    ignore(remote);
  }
}

function givenIn(end: WaitEnd): GivenAnswer | undefined {
  return "given" in end ? end.given : undefined;
}

async function fromMonitor<Answer>(
  waited: Promise<WaitEnd>,
  { read, here }: RacedQuestion<Answer>,
  until: AbortSignal,
): Promise<{ readonly answer: Answer; readonly given: GivenAnswer }> {
  const given = givenIn(await waited);
  until.throwIfAborted();
  const answer = given && read(given);
  if (given !== undefined && answer !== undefined) return { answer, given };
  // Somebody can still answer at the agent.
  if (here !== undefined) await aborted(until);
  throw new Error(`the monitor's answer ${JSON.stringify(given?.answer)} does not fit the question`);
}

async function aborted(signal: AbortSignal): Promise<never> {
  await once(signal, "abort");
  throw signal.reason;
}

/** What somebody has answered elsewhere, for the person who is asked here. */
function shown(answer: unknown): string {
  const read = isRecord(answer) ? answer : { allow: answer };
  const { allow, by, feedback, answers } = read;
  if (typeof allow !== "boolean")
    return capText(Object.values(isRecord(answers) ? answers : read).join("; "), MOST_SHOWN);
  const who = typeof by === "string" ? by : ITS_USER;
  const words = typeof feedback === "string" ? { words: capText(feedback, MOST_SHOWN) } : {};
  return personAnswerText(allow ? "allowed" : "refused", { by: who, ...words });
}

/** How the record of the decision ends: by default, or because the agent went on. */
function unanswered(signal: AbortSignal, fallback: unknown, error: unknown): object {
  const { aborted, reason } = signal;
  const isLate = aborted && reason instanceof DOMException && reason.name === "TimeoutError";
  const by = errorMessage(aborted ? reason : error);
  return isLate && fallback !== undefined ? { by, channel: "timeout", answer: fallback } : { by };
}
