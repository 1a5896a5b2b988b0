import type { ArithmeticExpression, TestExpression, Word, WordPart } from "unbash";
import type { Frame } from "../state/frame.ts";
import { assign, type Scope } from "../state/scope.ts";

const ASSIGNED =
  /([A-Za-z_]\w*)(?:\[[^\]]{0,64}\])?\s{0,9}(?:(?:[-+*/%&^|]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** What `((…))` and `let` assign is a number that nobody knows. */
export function noteArithmetic(text: string, frame: Frame): void {
  for (const [, after, before] of text.matchAll(ASSIGNED))
    assign(frame.scope, after ?? before ?? "", undefined);
}

const INNER_EXPANSION = /\$\([^()]*\)|\$\{[^{}]*\}|`[^`]*`/g;
/** Two operands side by side, an operator without its right one, or what no expression has. */
const NO_EXPRESSION =
  /[\w"'})\]]\s+[\w$"'({.~]|(?:^|[^+])\+\s*$|(?:^|[^-])-\s*$|[*/%<>=&|^~!]\s*$|^\s*[/.*]|[;\\]/;

/** True when what is in two brackets is run as commands, for certain or in a shell that the line may be for. */
export function mayBeCommands(body: string, shell: Scope["shell"]): boolean {
  if (shell !== "unknown") return shell === "other";
  // Bash refuses an expression like `rm -rf src`, so that nobody writes one for it.
  let text = body;
  for (let depth = 0; depth < 3; depth += 1) text = text.replaceAll(INNER_EXPANSION, "0");
  return NO_EXPRESSION.test(text);
}

/** Calls back for each expansion inside an arithmetic part, since `$(( $(command) ))` runs the command. */
export function forEachExpansion(
  part: { readonly expression: ArithmeticExpression | undefined },
  visit: (part: WordPart) => void,
): void {
  const pending = part.expression === undefined ? [] : [part.expression];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "ArithmeticWord") node.parts?.forEach(visit);
    else if (node.type === "ArithmeticCommandExpansion") {
      // `script` is a getter, which a spread would lose.
      visit({ type: "CommandExpansion", pos: node.pos, end: node.end, text: node.text, script: node.script });
    } else pending.push(...children(node));
  }
}

type Inner = Exclude<ArithmeticExpression, { type: "ArithmeticWord" | "ArithmeticCommandExpansion" }>;

function children(node: Inner): readonly ArithmeticExpression[] {
  switch (node.type) {
    case "ArithmeticBinary":
      return [node.right, node.left];
    case "ArithmeticUnary":
      return [node.operand];
    case "ArithmeticTernary":
      return [node.alternate, node.consequent, node.test];
    case "ArithmeticGroup":
      return [node.expression];
    default:
      return node satisfies never;
  }
}

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
