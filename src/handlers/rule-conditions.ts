import { compileCommandCover, compileCommandPatterns } from "../rules/compiled/command-patterns.ts";
import { compileWhen, compileWhenCover, type EventPredicate } from "../rules/compiled/when.ts";
import type { RulePorts } from "../rules/fields/judged-event.ts";

/** A compiled matcher field: whether it matches an event, and whether an allow may be about it. */
export interface RuleCondition {
  readonly test: EventPredicate;
  readonly covers: EventPredicate;
}

export async function whenCondition(spec: unknown, ports: RulePorts): Promise<RuleCondition> {
  const test = compileWhen(spec, ports);
  const covers = compileWhenCover(spec, ports);
  await Promise.all([test.load(), covers.load()]);
  return { test, covers };
}

export async function commandCondition(
  patterns: readonly string[],
  ports: RulePorts,
): Promise<RuleCondition> {
  const test = compileCommandPatterns(patterns, ports);
  const covers = compileCommandCover(patterns, ports);
  await Promise.all([test.load(), covers.load()]);
  return { test, covers };
}
