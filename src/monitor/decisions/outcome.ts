import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import { harmlessLine } from "../../shared/harmless.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import { AT_TERMINAL, NOBODY } from "../report/endings.ts";
import { SOURCES } from "../report/sources.ts";

const MOST_ANSWER = 300;

/** How a decision ended, as a part of a sentence: `answered with accept by anna (cli)`, `answered in the terminal`. */
export function endingText(decision: HumanRequest): string {
  const { state, resolved } = decision;
  const { by = "", channel = "" } = resolved ?? {};
  const who = harmlessLine(by);
  if (state !== "resolved")
    return isReason(channel) ? partOf(who) : `taken off the list by ${who} (${harmlessLine(channel)})`;
  const answer = answerText(decision);
  if (channel === AT_TERMINAL.channel) return `answered with ${answer} in the terminal`;
  if (channel === NOBODY.channel) return `${partOf(who)}, so the answer is ${answer}`;
  return `answered with ${answer} by ${who} (${harmlessLine(channel)})`;
}

/** True when `by` says why nobody has to answer any more, and names no person. */
function isReason(channel: string): boolean {
  return channel === AT_TERMINAL.channel || channel === NOBODY.channel;
}

/** A sentence as a part of another one. */
function partOf(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, "");
}

/** What was answered, on one line. */
export function answerText({ resolved, source }: HumanRequest): string {
  return capText(harmlessLine(wordsOf(resolved?.answer, source)), MOST_ANSWER);
}

function wordsOf(answer: unknown, source: HumanRequest["source"]): string {
  if (typeof answer === "string") return answer;
  if (typeof answer === "boolean") return wordsOf({ allow: answer }, source);
  if (Array.isArray(answer)) return answer.map(String).join("; ");
  if (!isRecord(answer)) return "nothing";
  const { choice, message, allow, feedback, input } = answer;
  if (typeof choice === "string") return typeof message === "string" ? `${choice}: ${message}` : choice;
  const { yes = "yes", no = "no", text = no } = SOURCES[source];
  if (allow === true) return input === undefined ? yes : `${yes}, with another input`;
  return typeof feedback === "string" ? `${text}: ${feedback}` : no;
}
