import type { ArithmeticExpression, WordPart } from "unbash";

/** Calls back for each expansion inside an arithmetic part, since `$(( $(command) ))` runs the command. */
export function forEachExpansion(
  part: { readonly expression: ArithmeticExpression | undefined },
  visit: (part: WordPart) => void,
): void {
  const pending = part.expression === undefined ? [] : [part.expression];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "ArithmeticWord") node.parts?.forEach(visit);
    else if (node.type === "ArithmeticCommandExpansion") {
      // The script is read by a getter, which a spread would lose.
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
