import { isRecord } from "../../core/base/json.ts";
import { yesOrNo } from "../../core/base/yes-or-no.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { AnswerFate, HumanRequest } from "../../shared/monitor/monitor.ts";
import { answersTo } from "../report/prompt-answer.ts";
import { rowOf } from "../state/transitions.ts";

/** Decisions whose answer a hook has replied with, as far as an event shows what their agent made of it. Pure. */
export function fatesAfter(given: readonly HumanRequest[], event: MonitorEvent): readonly HumanRequest[] {
  return given.flatMap((decision) => {
    const { resolved } = decision;
    const fate = resolved?.fate === "given" ? fateAfter(decision, event) : undefined;
    return resolved === undefined || fate === undefined
      ? []
      : [{ ...decision, resolved: { ...resolved, fate } }];
  });
}

function fateAfter(decision: HumanRequest, event: MonitorEvent): AnswerFate | undefined {
  const { call_digest, resolved } = decision;
  const isRefused = refuses(resolved?.answer);
  if (call_digest === undefined) return rowOf(event) === undefined ? undefined : "taken";
  if (event.call_key === call_digest && event.result !== undefined) {
    const isUsed = isRefused
      ? event.result !== "ran"
      : event.result !== "refused" && isSameAnswer(decision, event);
    return isUsed ? "taken" : "unused";
  }
  // A call without a result until its turn is over did not run.
  return isRefused && rowOf(event)?.ends_turn === true ? "taken" : undefined;
}

function refuses(answer: unknown): boolean {
  return isRecord(answer) ? answer.allow === false : yesOrNo(answer) === false;
}

/** False when a question was answered differently at the agent's terminal. */
function isSameAnswer({ questions, resolved }: HumanRequest, { answers }: MonitorEvent): boolean {
  if (questions === undefined || answers === undefined) return true;
  const given = Object.entries(answersTo(questions, resolved?.answer) ?? {});
  // A default has a mark behind it.
  return given.every(([question, answer]) => String(answers[question] ?? answer).startsWith(answer));
}
