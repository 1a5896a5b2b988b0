import type { ArithmeticExpression, TestExpression, Word, WordPart } from "unbash";
import type { Frame } from "../state/frame.ts";
import { assign, type Scope } from "../state/scope.ts";

/** A substitution after the beginning of a subscript. */
function holdsCode(text: string): boolean {
  const at = text.indexOf("[");
  return at !== -1 && /\$\(|`/.test(text.slice(at));
}

const NAMES = /[A-Za-z_]\w*/g;
const MOST_NAMES = 32;

/** The tests of `[[ … ]]` that evaluate their operands. */
const EVALUATING_TESTS: ReadonlySet<string> = new Set(["-v", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

/**
 * Looks at text that the shell evaluates as arithmetic or takes for the name of a variable: `a[$(command)]` there runs
 * the command, quoted or not, and so does a variable with such a value. What it would run is not followed.
 */
export function noteEvaluated(text: string, frame: Frame): void {
  if (holdsCode(text) || (text.length > 0 && leadsToCode(text, frame.scope, 0))) frame.walk.dynamic = true;
}

const ASSIGNED =
  /([A-Za-z_]\w*)(?:\[[^\]]{0,64}\])?\s{0,9}(?:(?:[-+*/%&^|]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** Like {@link noteEvaluated} for `((…))` and `let`: what it assigns is a number that nobody knows. */
export function noteArithmetic(text: string, frame: Frame): void {
  noteEvaluated(text, frame);
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

function leadsToCode(text: string, scope: Scope, depth: number): boolean {
  const { variables } = scope.tables;
  if (variables.size === 0 || depth > 8) return false;
  for (const name of (text.match(NAMES) ?? []).slice(0, MOST_NAMES)) {
    const value = variables.get(name);
    if (value === undefined || value === text) continue;
    if (holdsCode(value) || leadsToCode(value, scope, depth + 1)) return true;
  }
  return false;
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

/** The words of an arithmetic expression: names and numbers, as they are written. */
export function arithmeticText(expression: ArithmeticExpression): string {
  const words: string[] = [];
  const pending = [expression];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "ArithmeticWord") words.push(node.value);
    else if (node.type !== "ArithmeticCommandExpansion") pending.push(...children(node));
  }
  return words.join(" ");
}

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
