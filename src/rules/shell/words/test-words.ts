import type { TestExpression, Word } from "unbash";
import { EVALUATING_TESTS } from "../interpret/evaluated.ts";

/** A word of a `[[ … ]]` test; one that `evaluates` is read as arithmetic or as the name of a variable. */
export interface TestWord {
  readonly word: Word;
  readonly evaluates: boolean;
}

/** The words of a `[[ … ]]` test, since `[[ -n $(command) ]]` runs the command. */
export function testWords(expression: TestExpression): readonly TestWord[] {
  switch (expression.type) {
    case "TestUnary":
      return [{ word: expression.operand, evaluates: EVALUATING_TESTS.has(expression.operator) }];
    case "TestBinary": {
      const evaluates = EVALUATING_TESTS.has(expression.operator);
      return [
        { word: expression.left, evaluates },
        { word: expression.right, evaluates },
      ];
    }
    case "TestLogical":
      return expression.operands.flatMap(testWords);
    case "TestNot":
      return testWords(expression.operand);
    case "TestGroup":
      return testWords(expression.expression);
    default:
      return expression satisfies never;
  }
}
