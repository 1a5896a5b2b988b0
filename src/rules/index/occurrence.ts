import type { Condition, TestCondition } from "../conditions/condition.ts";
import type { Subject } from "../fields/subject.ts";
import type { OperatorName } from "../operators/operators.ts";
import { searchedText } from "./field-reading.ts";
import { type RequiredText, type RequirementOptions, textRequirements } from "./requirements.ts";

/** Operators whose patterns take longer to look into than a plain text. */
const COSTLY = new Set<OperatorName>(["glob", "matches"]);

/**
 * The index of a one-shot process: nothing is built, the texts a rule requires are simply looked for. Returns the
 * test whether a condition can hold for the event; each field is read once, and a rule is looked into no further
 * than its first part that can't hold. Only the event's own texts are searched: what shell text does may not have been
 * analysed yet.
 */
export function occurrenceTest(
  subject: Subject,
): (condition: Condition, options: RequirementOptions) => boolean {
  const occurs = ({ field, reading, text }: RequiredText): boolean =>
    reading.alone === true || searchedText(field, subject).includes(text);
  const testCanHold = (test: TestCondition, options: RequirementOptions): boolean =>
    textRequirements(test, options).every((requirement) => requirement.some(occurs));
  return function canHold(condition, options): boolean {
    switch (condition.type) {
      case "test":
        return testCanHold(condition, options);
      case "not":
        return true;
      case "any":
        return condition.conditions.some((part) => canHold(part, options));
      case "all":
        return (
          condition.conditions.every((part) => isCostly(part) || canHold(part, options)) &&
          condition.conditions.every((part) => !isCostly(part) || canHold(part, options))
        );
      default:
        return condition satisfies never;
    }
  };
}

function isCostly(condition: Condition): boolean {
  return condition.type !== "test" || COSTLY.has(condition.operator);
}
