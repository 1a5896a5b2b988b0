import { harmlessLine } from "../../shared/harmless.ts";
import type { HumanRequest } from "../../shared/monitor/monitor.ts";
import type { Receipt } from "../../shared/monitor/receipt.ts";
import { agentName } from "../agent-name.ts";
import { isCarriedOut } from "../report/actions.ts";
import { CALL_CHANGED } from "../report/endings.ts";
import { endingText } from "./outcome.ts";

/** The receipt of the answer that a decision records. Every channel shows it. */
export function receiptOf(decision: HumanRequest): Receipt {
  const { state, prompt, resolved } = decision;
  if (state !== "resolved")
    return { kind: "given", text: `Taken off the list. ${nameOf(decision)} asks in its own terminal.` };
  if (isCarriedOut(decision) || prompt === undefined)
    return { kind: "given", text: "Given to the monitor, which carries it out." };
  if (resolved?.delivered === true)
    return { kind: "taken", text: `Taken by the waiting hook${afterText(decision)}.` };
  return resolved?.delivered === false
    ? { kind: "late", text: "Too late: no hook has taken it." }
    : { kind: "given", text: "Given, but no hook has taken it yet." };
}

export const CHANGED: Receipt = { kind: "refused", text: "Refused: the call changed." };

/** What an answer to a decision is told that can't take it any more, or not from here. */
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
    : { kind: "late", text: `Too late: the hook of ${agent} waited until ${waits_until}.` };
}

/** How a decision ended and what came of its answer, on one line, for lists and messages. */
export function outcomeOf(decision: HumanRequest): string {
  const { state, resolved, prompt } = decision;
  const { delivered } = resolved ?? {};
  if (state !== "resolved" || prompt === undefined) return `${endingText(decision)}.`;
  if (delivered === true && resolved?.taken_at !== undefined)
    return `${endingText(decision)}, taken by the waiting hook${afterText(decision)}.`;
  return `${endingText(decision)}${delivered === false ? ", but no hook has taken it" : ""}.`;
}

function nameOf(decision: HumanRequest): string {
  return harmlessLine(agentName(decision));
}

/** ` after 0.4 s`; nothing when nobody knows. */
function afterText({ resolved }: HumanRequest): string {
  if (resolved?.taken_at === undefined) return "";
  const seconds = (Date.parse(resolved.taken_at) - Date.parse(resolved.at)) / 1000;
  return ` after ${Math.max(0.1, seconds).toFixed(1)} s`;
}
