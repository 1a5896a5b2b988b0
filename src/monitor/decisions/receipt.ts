import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import { userName } from "../../node/identity/user-name.ts";
import { harmlessLine } from "../../shared/harmless.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { Receipt } from "../../shared/monitor/receipt.ts";
import { agentName } from "../agent-name.ts";
import { isCarriedOut } from "../report/actions.ts";
import { AT_TERMINAL, CALL_CHANGED, NOBODY } from "../report/endings.ts";
import { labelFor, SOURCES } from "../report/sources.ts";

const MOST_ANSWER = 300;

/** The receipt of the answer that a decision records. Every channel shows it. */
export function receiptOf(decision: HumanRequest): Receipt {
  const { state, prompt, resolved, source } = decision;
  if (state !== "resolved")
    return { kind: "given", text: `Taken off the list. ${nameOf(decision)} asks in its own terminal.` };
  if (source === "session")
    return { kind: "taken", text: `Remembered until it is closed: ${wordsOf(resolved?.answer, source)}.` };
  if (isCarriedOut(decision) || prompt === undefined)
    return { kind: "given", text: "The monitor will do it." };
  const agent = nameOf(decision);
  const fate = resolved?.fate;
  switch (fate) {
    case "taken":
      return { kind: "taken", text: `Taken by ${agent}${afterText(decision)}.` };
    case "given":
      return { kind: "given", text: `Given to ${agent}${afterText(decision)}.` };
    case "unused":
      return { kind: "late", text: `Too late: given to ${agent}, which was answered in its terminal.` };
    case "late":
      return { kind: "late", text: `Too late: ${agent} was not given it.` };
    case undefined:
      return { kind: "noted", text: `Noted, but ${agent} was not given it yet.` };
    default:
      return fate satisfies never;
  }
}

export const CHANGED: Receipt = { kind: "refused", text: "Refused: the call changed." };

/** What somebody reads whose answer comes too late, or can't be given from here. */
export function refusalOf(decision: HumanRequest): Receipt {
  const { state, resolved, only_at_terminal, prompt, waits_until } = decision;
  if (state !== "open")
    return resolved?.by === CALL_CHANGED.by
      ? CHANGED
      : { kind: "late", text: `Too late: ${endingText(decision)}.` };
  const agent = nameOf(decision);
  if (only_at_terminal === true)
    return { kind: "refused", text: `Refused: ${agent} takes an answer to this only in its own terminal.` };
  return prompt === undefined
    ? { kind: "refused", text: `Refused: no hook of ${agent} waits for this answer.` }
    : { kind: "late", text: `Too late: the hook of ${agent} waited until ${waits_until}. ${ITS_TERMINAL}` };
}

const ITS_TERMINAL = "Answer it in the agent's own terminal.";

/** How a decision that can't be answered any more stands, and what came of its answer, on one line, for lists and messages. */
export function outcomeOf(decision: HumanRequest): string {
  const { state, resolved, prompt } = decision;
  if (state === "open") return `at its terminal: the hook has stopped waiting. ${ITS_TERMINAL}`;
  if (state !== "resolved" || prompt === undefined || resolved?.given_at === undefined)
    return `${endingText(decision)}${resolved?.fate === "late" ? ", but the agent was not given it" : ""}.`;
  const given = `${endingText(decision)}, given to the agent${afterText(decision)}`;
  if (resolved.fate === "unused") return `${given}, which was answered in its terminal.`;
  return resolved.fate === "taken" ? `${given} and taken.` : `${given}.`;
}

function nameOf(decision: HumanRequest): string {
  return harmlessLine(agentName(decision));
}

/** ` after 0.4 s`; nothing when nobody knows. */
function afterText({ resolved }: HumanRequest): string {
  if (resolved?.given_at === undefined) return "";
  const seconds = (Date.parse(resolved.given_at) - Date.parse(resolved.at)) / 1000;
  return ` after ${Math.max(0.1, seconds).toFixed(1)} s`;
}

/** How a decision ended, as a part of a sentence: `answered with accept by anna (cli)`, `answered in the terminal`. */
function endingText(decision: HumanRequest): string {
  const { state, resolved } = decision;
  const { channel = "" } = resolved ?? {};
  const who = personOf(decision);
  if (state !== "resolved")
    return isReason(channel) ? partOf(who) : `taken off the list by ${who} (${harmlessLine(channel)})`;
  const answer = answerText(decision);
  if (channel === AT_TERMINAL.channel) return `answered with ${answer} in the terminal`;
  if (channel === NOBODY.channel) return `${partOf(who)}, so the answer is ${answer}`;
  return `answered with ${answer} by ${who} (${harmlessLine(channel)})`;
}

/** How a decision ended, for lists: who answered, then what, which may be long. */
export function endingOf(decision: HumanRequest): string {
  const { state, resolved } = decision;
  const { by = "", channel = "", fate } = resolved ?? {};
  const who = personOf(decision);
  if (state !== "resolved") return isReason(channel) ? partOf(harmlessLine(by)) : `dismissed by ${who}`;
  const late = fate === "late" || fate === "unused" ? "too late, " : "";
  if (channel === AT_TERMINAL.channel) return `${late}in the terminal: ${answerText(decision)}`;
  if (channel === NOBODY.channel) return `${late}nobody answered: ${answerText(decision)}`;
  return `${late}${who}: ${answerText(decision)}`;
}

function personOf({ machine, resolved }: HumanRequest): string {
  const { by = "" } = resolved ?? {};
  return machine === undefined && by === userName() ? "you" : harmlessLine(by);
}

/** True when `by` says why nobody has to answer any more, and names no person. */
function isReason(channel: string): boolean {
  return channel === AT_TERMINAL.channel || channel === NOBODY.channel;
}

function partOf(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, "");
}

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
  const yes = labelFor(source, "allow") ?? "yes";
  const no = labelFor(source, "refuse") ?? "no";
  const { text = no } = SOURCES[source];
  if (allow === true) return input === undefined ? yes : `${yes}, with another input`;
  return typeof feedback === "string" ? `${text}: ${feedback}` : no;
}
