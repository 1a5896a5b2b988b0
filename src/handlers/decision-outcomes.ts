import type { Decision } from "../core/decide/decision.ts";
import { TABLE_EVENTS } from "../core/events/known-events.ts";
import type { Outcome } from "../core/events/outcomes.ts";

/** What a decision says, as one hook would say it. */
export function outcomesOf(decision: Decision, event_name: string): readonly Outcome[] {
  const { action, reason, keep_going, answer, time_limit, retry, abort, native } = decision;
  const why = reason === undefined ? {} : { reason };
  const outcomes: Outcome[] = [...rewriteIn(decision, event_name)];
  if (action !== "continue") outcomes.push({ type: action, ...why });
  for (const { text, role, lifetime, recorded } of decision.context)
    outcomes.push({ type: "context", text, role, lifetime, recorded });
  for (const { text, level } of decision.user_messages) outcomes.push({ type: "user_message", text, level });
  for (const { text } of decision.hook_inputs) outcomes.push({ type: "hook_input", text });
  if (keep_going !== undefined) outcomes.push({ type: "keep_going", ...keep_going });
  if (answer !== undefined) outcomes.push({ type: "answer", answer });
  if (time_limit !== undefined) outcomes.push({ type: "time_limit", seconds: time_limit });
  if (retry !== undefined) outcomes.push({ type: "retry", ...retry });
  if (abort !== undefined) outcomes.push({ type: "abort", ...abort });
  if (native !== undefined) outcomes.push({ type: "native", reply: native });
  return outcomes;
}

/** The rewrite in a decision: the one field of the event that can be rewritten, or those of its fields that were. */
function rewriteIn(decision: Decision, event_name: string): readonly Outcome[] {
  const { rewrites = [] } = TABLE_EVENTS.get(event_name) ?? {};
  const values: Readonly<Record<string, unknown>> = { ...decision };
  const changed = rewrites
    .filter(([, as]) => as in values)
    .map(([field, as]) => [field, values[as]] as const);
  const [only] = changed;
  if (only === undefined) return [];
  return [{ type: "rewrite", next: rewrites.length === 1 ? only[1] : Object.fromEntries(changed) }];
}
