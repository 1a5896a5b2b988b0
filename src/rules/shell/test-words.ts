import type { TestExpression, Word } from "unbash";

/** The words of a `[[ … ]]` test, since `[[ -n $(command) ]]` runs the command. */
export function testWords(expression: TestExpression): readonly Word[] {
  switch (expression.type) {
    case "TestUnary":
      return [expression.operand];
    case "TestBinary":
      return [expression.left, expression.right];
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
