import { capText } from "../../core/base/text.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import type { Because, Would } from "../../shared/replay.ts";
import { ruleOf } from "../cases/actual.ts";
import type { Tried } from "../tried-hooks.ts";

/** What a configuration decides about a recorded event. */
export interface Judged {
  readonly would: Would;
  readonly action: string;
  readonly reason?: string;
  /** The first is the one that people are shown. */
  readonly because: readonly Because[];
  /** False when no hook had anything to say. */
  readonly is_judged: boolean;
  readonly not_evaluated: readonly string[];
}

/** Of the text of a rule, which may list hundreds of paths. */
const LONGEST_RULE = 200;

/** Reads a decision. A stop that a hook does not accept is denied, and so is what ends the run. */
export function judgedOf({ decision, not_evaluated }: Pick<Tried, "decision" | "not_evaluated">): Judged {
  const { action, keep_going, abort, runs } = decision;
  const isStopped = action === "deny" || keep_going !== undefined || abort !== undefined;
  const isRewritten = decision.input !== undefined || decision.prompt !== undefined;
  const would = isStopped ? "deny" : action === "ask" ? "ask" : isRewritten ? "rewrite" : "same";
  const reason = decision.reason ?? keep_going?.reason ?? abort?.reason;
  const spoke = runs.filter(({ outcome, failure }) => outcome !== undefined || failure !== undefined);
  const seen = new Map<string, Because>();
  for (const run of would === "same" ? [] : spoke.filter((one) => wants(one, would))) {
    const rule = ruleOf(run);
    const because = {
      hook: run.name,
      ...(rule === undefined ? {} : { rule: capText(rule, LONGEST_RULE) }),
    };
    seen.set(JSON.stringify(because), because);
  }
  return {
    would,
    action: would === "deny" ? "deny" : action,
    reason,
    because: [...seen.values()],
    is_judged: spoke.length > 0,
    not_evaluated,
  };
}

function wants({ outcome, failure }: HookRun, would: Would): boolean {
  if (outcome === undefined) return failure !== undefined && would === "deny";
  if (would === "deny")
    return outcome.action === "deny" || outcome.keep_going !== undefined || outcome.abort === true;
  return would === "ask" ? outcome.action === "ask" : outcome.rewrite === true;
}
