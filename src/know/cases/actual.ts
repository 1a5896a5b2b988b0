import { withoutUndefined } from "../../core/base/json.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import { ruleText } from "../../rules/packs/pack.ts";
import { PACK_RULES } from "../../rules/packs/packs.ts";
import type { Tried } from "../tried-hooks.ts";

/** What was decided about an event, in the words of `expect`. */
export interface Actual {
  readonly action: string;
  readonly reason?: string;
  /** The first of the hooks that decided. */
  readonly hook?: string;
  readonly rule?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly context?: readonly string[];
  readonly messages?: readonly string[];
  readonly keep_going?: string;
}

export interface AskedHook {
  readonly name: string;
  /** What it wanted, or `failed`, or `not evaluated`. */
  readonly said: string;
  readonly reason?: string;
  readonly rule?: string;
  /** The place of the rule among those of its hook. */
  readonly rule_index?: number;
}

export function actualOf({ decision }: Tried): Actual {
  const { action, reason, input, output, keep_going } = decision;
  const [first] = deciders(decision.action, decision.runs);
  const context = decision.context.map(({ text }) => text);
  const messages = decision.user_messages.map(({ text }) => text);
  return {
    action,
    ...withoutUndefined({
      reason,
      hook: first?.name,
      rule: first && ruleOf(first),
      input,
      output,
      context: context.length > 0 ? context : undefined,
      messages: messages.length > 0 ? messages : undefined,
      keep_going: keep_going?.reason,
    }),
  };
}

/** The hooks that had something to say, and those that were not asked. */
export function askedHooks({ decision, not_evaluated }: Omit<Tried, "event">): readonly AskedHook[] {
  const spoke = decision.runs.filter(
    ({ outcome, failure }) => outcome !== undefined || failure !== undefined,
  );
  return [
    ...spoke.map((run) => ({
      name: run.name,
      said: run.failure === undefined ? wanted(run) : "failed",
      ...withoutUndefined({
        reason: run.failure?.message ?? run.outcome?.reason,
        rule: ruleOf(run),
        rule_index: run.rule?.index,
      }),
    })),
    ...not_evaluated.map((name) => ({ name, said: "not evaluated" })),
  ];
}

/** The hooks behind an action; behind `continue`, those that added or changed something. */
export function deciders(action: string, runs: readonly HookRun[]): readonly HookRun[] {
  return runs.filter(({ outcome, failure }) =>
    failure === undefined ? outcome?.action === action : action === "deny",
  );
}

/** The name of a pack's rule, or the text of another. */
export function ruleOf({ rule, outcome }: HookRun): string | undefined {
  if (rule === undefined) return undefined;
  return PACK_RULE_BY_TEXT.get(outcome?.reason ?? "") ?? rule.source;
}

const PACK_RULE_BY_TEXT: ReadonlyMap<string, string> = new Map(
  [...PACK_RULES.values()].map((row) => [ruleText(row), row.id]),
);

function wanted({ outcome }: HookRun): string {
  if (outcome === undefined || outcome.action !== "continue") return outcome?.action ?? "continue";
  const { action: _, reason: _reason, ...more } = outcome;
  return Object.keys(more)[0] ?? "continue";
}
