import type { Action } from "../events/effects.ts";
import type { Outcome } from "../events/outcomes.ts";
import type { HookOutcome } from "./decision.ts";

/** From weak to strong. */
export const ACTION_RANK: Readonly<Record<Action, number>> = { continue: 0, allow: 1, ask: 2, deny: 3 };

/** What one hook said, as plain data for its record; `undefined` when it said nothing. */
export function summarise(outcomes: readonly Outcome[]): HookOutcome | undefined {
  if (outcomes.length === 0) return undefined;
  const said: { -readonly [Key in keyof HookOutcome]: HookOutcome[Key] } = { action: "continue" };
  for (const outcome of outcomes) {
    switch (outcome.type) {
      case "allow":
      case "ask":
      case "deny":
        if (ACTION_RANK[outcome.type] <= ACTION_RANK[said.action]) break;
        said.action = outcome.type;
        if (outcome.reason === undefined) delete said.reason;
        else said.reason = outcome.reason;
        break;
      case "rewrite":
        said.rewrite = true;
        break;
      case "context":
        said.context = [...(said.context ?? []), outcome.text];
        break;
      case "user_message":
        said.user_messages = [...(said.user_messages ?? []), outcome.text];
        break;
      case "keep_going":
        said.keep_going = outcome.reason;
        break;
      case "answer":
        said.answer = outcome.answer;
        break;
      case "retry":
        said.retry = true;
        break;
      case "hook_input":
        said.hook_inputs = [...(said.hook_inputs ?? []), outcome.text];
        break;
      case "abort":
        said.abort = true;
        if (outcome.reason !== undefined) said.reason ??= outcome.reason;
        break;
      default:
        outcome satisfies never;
    }
  }
  return said;
}
