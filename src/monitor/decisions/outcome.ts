import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import { harmlessLine } from "../../shared/harmless.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import { AT_TERMINAL } from "../report/endings.ts";
import { SOURCES } from "../report/sources.ts";

const MOST_ANSWER = 300;

/** How a decision ended, on one line: `answered with accept by anna (cli).` */
export function outcomeOf(decision: HumanRequest): string {
  const { state, resolved } = decision;
  const by = harmlessLine(resolved?.by ?? "");
  if (state !== "resolved") return `${state}. ${by}`.trim();
  if (resolved?.channel === AT_TERMINAL.channel)
    return `answered with ${answerText(decision)} at its terminal.`;
  if (resolved?.channel === "timeout") return `${by} The answer is ${answerText(decision)}.`;
  const lost = resolved?.delivered === false ? ", but not delivered: no hook has taken it" : "";
  return `answered with ${answerText(decision)} by ${by} (${harmlessLine(resolved?.channel ?? "")})${lost}.`;
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
  const { choice, message, allow, feedback } = answer;
  if (typeof choice === "string") return typeof message === "string" ? `${choice}: ${message}` : choice;
  const { yes = "yes", no = "no", text = no } = SOURCES[source];
  return allow === true ? yes : typeof feedback === "string" ? `${text}: ${feedback}` : no;
}
