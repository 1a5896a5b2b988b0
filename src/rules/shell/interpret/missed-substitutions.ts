import type { ParsedScript, SyntaxNode } from "unbash";
import { eachChild } from "../parser.ts";
import { beside, EMPTY, type Frame, mayRead } from "./frame.ts";
import { childScope } from "./scope.ts";
import { substitute, substituteProcess } from "./substitution.ts";

const SUBSTITUTION = /\$\(|`|[<>]\(/;

/** True for a text that may hold a substitution. */
export function mayHoldSubstitution(text: string): boolean {
  return SUBSTITUTION.test(text);
}

/**
 * Walks every substitution of a script that the walk has not come by: the shell runs it wherever it stands, also where
 * nobody looked for a command.
 */
export function sweep(script: ParsedScript, frame: Frame): void {
  const inner = beside(frame, childScope(frame.scope), EMPTY);
  const pending: SyntaxNode[] = [script];
  const add = (child: SyntaxNode): void => void pending.push(child);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (
      node.type !== "CommandExpansion" &&
      node.type !== "ArithmeticCommandExpansion" &&
      node.type !== "ProcessSubstitution"
    ) {
      eachChild(node, add);
      continue;
    }
    // Its tree is made when it is asked for, and texts inside texts make many.
    if (!mayRead(frame.walk, node.text.length)) return;
    const { script: inside, text, pos, end } = node;
    if (inside === undefined || frame.walk.walked?.has(inside) !== true) {
      if (node.type === "ProcessSubstitution") substituteProcess(node, inner);
      else substitute({ type: "CommandExpansion", pos, end, text, script: inside }, inner);
    }
    if (inside !== undefined) pending.push(inside);
  }
}
