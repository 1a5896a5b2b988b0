import type { Frame } from "./frame.ts";
import type { Scope } from "./scope.ts";

/** A subscript with a substitution in it. */
const HOLDS_CODE = /\[[\s\S]*(?:\$\(|`)/;
const NAMES = /[A-Za-z_]\w*/g;
const MOST_NAMES = 32;

/** The tests of `[[ … ]]` that evaluate their operands. */
export const EVALUATING_TESTS: ReadonlySet<string> = new Set([
  "-v",
  "-eq",
  "-ne",
  "-lt",
  "-le",
  "-gt",
  "-ge",
]);

/**
 * Looks at text that the shell evaluates as arithmetic or takes for the name of a variable: `a[$(command)]` there runs
 * the command, quoted or not, and so does a variable with such a value. What it would run is not followed.
 */
export function noteEvaluated(text: string, frame: Frame): void {
  if (HOLDS_CODE.test(text) || (text.length > 0 && leadsToCode(text, frame.scope, 0)))
    frame.walk.dynamic = true;
}

function leadsToCode(text: string, scope: Scope, depth: number): boolean {
  const { variables } = scope.tables;
  if (variables.size === 0 || depth > 8) return false;
  for (const name of (text.match(NAMES) ?? []).slice(0, MOST_NAMES)) {
    const value = variables.get(name);
    if (value === undefined || value === text) continue;
    if (HOLDS_CODE.test(value) || leadsToCode(value, scope, depth + 1)) return true;
  }
  return false;
}
