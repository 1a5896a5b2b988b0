import { HookFailureError } from "../../core/events/hook-failure-error.ts";

/** How many sessions are counted at a time; of more, those that began first are forgotten. */
const MOST_SESSIONS = 1000;

const spentBy = new WeakMap<object, Map<string, number>>();

/**
 * Counts a question to a model against the budget of its session, which all judges of one hook set share.
 *
 * @throws HookFailureError `error` when the budget is spent.
 */
export function spend(set: object, session: string, budget: number): void {
  const sessions = spentBy.get(set) ?? new Map<string, number>();
  spentBy.set(set, sessions);
  const spent = sessions.get(session) ?? 0;
  if (spent >= budget) {
    throw new HookFailureError(
      "error",
      `The session has spent its budget of ${budget} verdicts. Raise models.judge_budget, or ask less often.`,
    );
  }
  const [oldest] = sessions.keys();
  if (!sessions.has(session) && sessions.size >= MOST_SESSIONS && oldest !== undefined)
    sessions.delete(oldest);
  sessions.set(session, spent + 1);
}
