import type { Condition, TestCondition } from "../conditions/condition.ts";
import type { Rule, RuleAction, RuleValue } from "../rule.ts";

/** A condition in the one-line language; reading it back gives the same condition. */
export function printCondition(condition: Condition): string {
  switch (condition.type) {
    case "test":
      return printTest(condition);
    case "not":
      return `not ${inner(condition.condition)}`;
    case "all":
      return condition.conditions.map(inner).join(" and ");
    case "any":
      // `and` binds tighter, so an `all` inside needs no parentheses.
      return condition.conditions
        .map((part) => (part.type === "any" ? `(${printCondition(part)})` : printCondition(part)))
        .join(" or ");
    default:
      return condition satisfies never;
  }
}

/** A rule in the one-line language; reading it back gives the same rule. */
export function printRule(rule: Pick<Rule, "condition" | "action" | "shadow">): string {
  const mode = rule.shadow === true ? "shadow " : "";
  return `${printCondition(rule.condition)} -> ${mode}${printAction(rule.action)}`;
}

function inner(condition: Condition): string {
  const text = printCondition(condition);
  return condition.type === "all" || condition.type === "any" ? `(${text})` : text;
}

function printTest(test: TestCondition): string {
  const value = test.value === undefined ? "" : ` ${printValue(test.value)}`;
  return `${test.field} ${test.operator}${value}${test.ignore_case === true ? " ignoring case" : ""}`;
}

function printAction(action: RuleAction): string {
  if (action.type === "continue") return "continue()";
  if (action.type === "modify") return `set(${action.field}, ${printValue(action.value)})`;
  return `${action.type}(${action.text === "" ? "" : printValue(action.text)})`;
}

function printValue(value: RuleValue): string {
  return JSON.stringify(value);
}
