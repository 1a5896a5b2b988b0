import type { Condition } from "../../../src/rules/conditions/condition.ts";
import type { ConditionValue } from "../../../src/rules/operators/operators.ts";
import type { Rule, RuleAction, RuleExample, RuleValue } from "../../../src/rules/rule.ts";

/** The YAML spelling of a condition: a test, or conditions under `all`, `any` or `not`. */
type ConditionObject =
  | {
      readonly field: string;
      readonly operator: string;
      readonly value?: ConditionValue;
      readonly case?: "insensitive" | "sensitive";
    }
  | { readonly all: readonly ConditionObject[] }
  | { readonly any: readonly ConditionObject[] }
  | { readonly not: ConditionObject };

/** The YAML spelling of a rule: a condition, and the action in the same object. */
type RuleObject = ConditionObject & {
  readonly action: string;
  readonly reason?: string;
  readonly modify_field?: string;
  readonly modify_value?: RuleValue;
  readonly examples?: readonly RuleExample[];
};

/** The YAML spelling of a condition; reading it back gives the same condition. */
export function conditionObject(condition: Condition): ConditionObject {
  switch (condition.type) {
    case "all":
      return { all: condition.conditions.map(conditionObject) };
    case "any":
      return { any: condition.conditions.map(conditionObject) };
    case "not":
      return { not: conditionObject(condition.condition) };
    case "test":
      return {
        field: condition.field,
        operator: condition.operator,
        ...(condition.value === undefined ? {} : { value: condition.value }),
        ...(condition.ignore_case === true ? { case: "insensitive" as const } : {}),
      };
    default:
      return condition satisfies never;
  }
}

/** The YAML spelling of a rule; reading it back gives the same rule, its line aside. */
export function ruleObject(rule: Rule): RuleObject {
  return {
    ...conditionObject(rule.condition),
    ...actionObject(rule.action),
    ...(rule.examples === undefined ? {} : { examples: rule.examples }),
  };
}

function actionObject(action: RuleAction) {
  if (action.type === "continue") return { action: action.type };
  if (action.type === "modify")
    return { action: action.type, modify_field: action.field, modify_value: action.value };
  return action.text === "" ? { action: action.type } : { action: action.type, reason: action.text };
}
