import { handlersOf, type WrittenHandler } from "./handlers-of.ts";

const MOST_QUESTIONS = 1_000_000;

/** Why a hook's examples are not checked. */
export const TOO_MANY_EXAMPLES = `its rules and examples are too many to be checked: together the files may ask at most ${MOST_QUESTIONS.toLocaleString("en")} questions.`;

/** Keeps examples from taking longer than anybody would wait: every one is asked of every rule of its hook. */
export class ExampleBudget {
  private left = MOST_QUESTIONS;

  /** True while the examples of this definition too can be asked. */
  affords(definition: WrittenHandler): boolean {
    for (const [{ inline_rules: list, rules: lines, examples }] of handlersOf(definition)) {
      const rules = lengthOf(list) + (typeof lines === "string" ? lines.split("\n").length : 0);
      this.left -= rules * lengthOf(examples);
    }
    return this.left >= 0;
  }
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}
