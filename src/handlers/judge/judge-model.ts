import type { DefinitionSite } from "../../core/contracts/definition-site.ts";
import type { JudgeRequest } from "../../core/contracts/judge.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";

/** The model of a judge, and where it is served. */
export type JudgeModel = Pick<JudgeRequest, "model" | "base_url" | "root">;

const DEFAULT_BUDGET = 200;
/** How many sessions are counted; when there are more, the oldest are forgotten. */
const MOST_SESSIONS = 1000;

export const NO_MODEL = "No model is named: give the hook a model, or set models.judge.";

/** The model a definition names, or else the configuration. */
export function judgeModel(
  { model, base_url }: Partial<JudgeModel>,
  { judge, root }: DefinitionSite,
): JudgeModel | undefined {
  const name = model ?? judge?.model;
  return name === undefined
    ? undefined
    : { model: name, root, ...(base_url === undefined ? {} : { base_url }) };
}

const spentBy = new WeakMap<object, Map<string, number>>();

/**
 * Counts a question to a model against the budget of its session, which all judges of one hook set share.
 *
 * @throws HookFailureError `error` when the budget is spent.
 */
export function spendVerdict(set: object, session: string, { judge }: DefinitionSite): void {
  const budget = judge?.budget ?? DEFAULT_BUDGET;
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
