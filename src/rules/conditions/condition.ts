import { type ConditionValue, type OperatorName, operatorOf } from "../operators/operators.ts";

/** One comparison: a field of the event, an operator, and what the operator compares with. */
export interface TestCondition {
  readonly type: "test";
  /** A path into the event or a short name, in the one spelling `formatFieldPath` gives. */
  readonly field: string;
  readonly operator: OperatorName;
  readonly value?: ConditionValue;
  readonly ignore_case?: true;
}

/** All conditions hold, or at least one does. There are always two or more. */
export interface GroupCondition {
  readonly type: "all" | "any";
  readonly conditions: readonly Condition[];
}

export interface NotCondition {
  readonly type: "not";
  readonly condition: Condition;
}

/** What a rule asks of an event: the one model both spellings, YAML and one-line, are read into. */
export type Condition = TestCondition | GroupCondition | NotCondition;

/** A group of conditions; a single condition is returned as it is. */
export function group(type: "all" | "any", conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { type, conditions };
}

/** Every test inside a condition, in the order written. */
export function testsOf(condition: Condition): readonly TestCondition[] {
  switch (condition.type) {
    case "test":
      return [condition];
    case "not":
      return testsOf(condition.condition);
    case "all":
    case "any":
      return condition.conditions.flatMap(testsOf);
    default:
      return condition satisfies never;
  }
}

/** True when some part of the condition holds because something is not so. */
export function hasNegation(condition: Condition): boolean {
  if (condition.type === "test") return operatorOf(condition.operator).negated === true;
  return condition.type === "not" || condition.conditions.some(hasNegation);
}
