import { missingParts, type PreparedRule, referenceOf } from "./compiled/prepared-rule.ts";
import { ruleHolds } from "./conditions/rule-holds.ts";
import type { Subject } from "./fields/subject.ts";
import type { RuleOutcome } from "./rule.ts";
import { compileTemplate, renderValue } from "./template.ts";

const CONTINUE: RuleOutcome = { action: "continue" };

/**
 * Asks rules in order; the first that holds decides. The answer is a promise only when a parser or the regular
 * expression engine has to be loaded on the way.
 *
 * @throws TenterhookError `bad_pattern` when a rule that was not compiled before has a bad pattern.
 */
export function decideByRules(
  rules: readonly PreparedRule[],
  subject: Subject,
  owner: string,
  start = 0,
): RuleOutcome | Promise<RuleOutcome> {
  for (let at = start; at < rules.length; at += 1) {
    const prepared = rules[at];
    if (prepared === undefined) continue;
    const missing = missingParts(prepared, subject);
    if (missing !== undefined) return missing.then(() => decideByRules(rules, subject, owner, at));
    if (ruleHolds(prepared, subject)) return outcomeOf(prepared, subject, owner);
  }
  return CONTINUE;
}

function outcomeOf(prepared: PreparedRule, subject: Subject, owner: string): RuleOutcome {
  const { action } = prepared.rule;
  const rule = referenceOf(prepared);
  switch (action.type) {
    case "continue":
      return { action: "continue", rule };
    case "modify":
      return { action: "modify", field: action.field, value: renderValue(action.value, subject), rule };
    case "allow":
    case "ask":
    case "deny":
    case "context":
    case "stop": {
      const text = compileTemplate(action.text).render(subject);
      return { action: action.type, text: text === "" ? `Rule ${rule.index + 1} of ${owner}.` : text, rule };
    }
    default:
      return action satisfies never;
  }
}
