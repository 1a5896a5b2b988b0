import { compileWhen, compileWhenCover, type EventPredicate } from "../rules/conditions/when.ts";
import { compileCommandCover, compileCommandPatterns } from "../rules/fields/command-patterns.ts";
import type { RulePorts } from "../rules/fields/subject.ts";

/** A matcher field that was compiled and loaded: whether it fits, and which events an allow may be about. */
export interface RuleCondition {
  readonly test: EventPredicate;
  readonly covers: EventPredicate;
}

/** Compiles and loads `when`. */
export async function whenCondition(spec: unknown, ports: RulePorts): Promise<RuleCondition> {
  const test = compileWhen(spec, ports);
  const covers = compileWhenCover(spec, ports);
  await Promise.all([test.load(), covers.load()]);
  return { test, covers };
}

/** Compiles and loads `command_patterns`. */
export async function commandCondition(
  patterns: readonly string[],
  ports: RulePorts,
): Promise<RuleCondition> {
  const test = compileCommandPatterns(patterns, ports);
  const covers = compileCommandCover(patterns, ports);
  await Promise.all([test.load(), covers.load()]);
  return { test, covers };
}
