import { compileCondition } from "./compile.ts";
import { readCondition } from "./condition-object.ts";
import { missingParts, type PreparedRule, prepareRule } from "./prepared-rule.ts";
import { type RuleEvent, type RulePorts, subjectOf } from "./subject.ts";

/** A question about an event. The answer is a promise only when a parser or engine has to be loaded first. */
export type EventPredicate = (event: RuleEvent) => boolean | Promise<boolean>;

/**
 * Compiles the `when` of a matcher: any rule condition, as an object or in the one-line language.
 *
 * @throws TenterhookError `bad_rule`, and `bad_pattern` for a glob; a bad regular expression shows at the
 * first event.
 */
export function compileWhen(spec: unknown, ports: RulePorts): EventPredicate {
  const prepared = prepareWhen(spec, ports);
  if (!prepared.regex) prepared.holds = compileCondition(prepared.rule.condition, ports);
  return function holds(event): boolean | Promise<boolean> {
    const subject = subjectOf(event, ports);
    const missing = missingParts(prepared, subject);
    if (missing !== undefined) return missing.then(() => holds(event));
    prepared.holds ??= compileCondition(prepared.rule.condition, ports);
    return prepared.holds(subject, false);
  };
}

function prepareWhen(spec: unknown, ports: RulePorts): PreparedRule {
  const condition = readCondition(spec, "when");
  return prepareRule({ condition, action: { type: "continue" } }, 0, ports);
}
