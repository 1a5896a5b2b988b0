import type { DefinitionSite } from "../../core/contracts/definition-site.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { JudgeRequest, Judges } from "../../shared/contracts/judge.ts";

export type JudgeModel = Pick<JudgeRequest, "model" | "base_url" | "root">;

const DEFAULT_BUDGET = 200;
/** How many sessions are counted; when there are more, the oldest are forgotten. */
const MOST_SESSIONS = 1000;

/** The small model of the first provider whose key is set. */
const DEFAULT_MODEL = "haiku";

/** The model that the definition names, else the configuration, else the default; a sentence when no model can be used. */
export async function judgeModel(
  { model, base_url }: Partial<JudgeModel>,
  { judge, root }: DefinitionSite,
  judges: Judges | undefined,
): Promise<JudgeModel | string> {
  const name = model ?? judge?.model;
  if (name !== undefined) return { model: name, root, base_url };
  if (base_url !== undefined) return "No model is named for base_url.";
  const problem = await judges?.problem({ model: DEFAULT_MODEL, root });
  return problem === undefined
    ? { model: DEFAULT_MODEL, root }
    : `No model is named: set models.judge, or a key for the default. ${problem}`;
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
