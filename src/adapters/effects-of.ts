import type { Decision } from "../core/decide/decision.ts";
import type { Effect } from "../core/events/effects.ts";
import { REWRITTEN } from "../core/events/known-events.ts";

/** The effects of a decision, the verdict first. */
export function effectsOf(decision: Decision): readonly Effect[] {
  const { action } = decision;
  const rewrites = Object.keys(REWRITTEN).some((field) => Reflect.get(decision, field) !== undefined);
  return [
    ...(action === "continue" ? [] : [action]),
    ...(rewrites ? (["rewrite"] as const) : []),
    ...(decision.context.length > 0 ? (["context"] as const) : []),
    ...(decision.keep_going === undefined ? [] : (["keep_going"] as const)),
    ...(decision.answer === undefined ? [] : (["answer"] as const)),
    ...(decision.retry === undefined ? [] : (["retry"] as const)),
    ...(decision.hook_inputs.length > 0 ? (["hook_input"] as const) : []),
    ...(decision.abort === undefined ? [] : (["abort"] as const)),
  ];
}
