import type { Chars } from "./symbols.ts";
import type { Assertion, Expression } from "./syntax.ts";

/** One step of a program: `next` is the number of the step after it. */
export type Step =
  | { readonly type: "chars"; readonly chars: Chars; readonly next: number }
  | { readonly type: "assertion"; readonly assertion: Assertion; readonly next: number }
  | { readonly type: "either"; next: number; readonly other: number }
  | { readonly type: "fits" };

/** An expression as steps that are followed all at once. */
export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
}

const MOST_STEPS = 1000;

/** The program of an expression, or `undefined` when it would be too long. */
export function programOf(expression: Expression): Program | undefined {
  const steps: Step[] = [{ type: "fits" }];
  const start = write(expression, 0, steps);
  return steps.length > MOST_STEPS ? undefined : { steps, start };
}

/** Writes the steps of an expression that goes on with `next`; answers where it starts. */
function write(expression: Expression, next: number, steps: Step[]): number {
  // Nobody reads a program that is too long: there is no need to finish it.
  if (steps.length > MOST_STEPS) return next;
  switch (expression.type) {
    case "chars":
      return steps.push({ type: "chars", chars: expression.chars, next }) - 1;
    case "assertion":
      return steps.push({ type: "assertion", assertion: expression.assertion, next }) - 1;
    case "sequence":
      return expression.parts.reduceRight((after, part) => write(part, after, steps), next);
    case "choice":
      return expression.options
        .map((option) => write(option, next, steps))
        .reduce((other, option) => steps.push({ type: "either", next: option, other }) - 1);
    case "repeat":
      return repeat(expression, next, steps);
    default:
      return expression satisfies never;
  }
}

function repeat(
  { part, min, max }: Extract<Expression, { type: "repeat" }>,
  next: number,
  steps: Step[],
): number {
  let start = next;
  if (max === Number.POSITIVE_INFINITY) {
    const loop: Step = { type: "either", next, other: next };
    start = steps.push(loop) - 1;
    loop.next = write(part, start, steps);
  } else
    for (let more = min; more < max; more += 1)
      start = steps.push({ type: "either", next: write(part, start, steps), other: next }) - 1;
  for (let times = 0; times < min; times += 1) start = write(part, start, steps);
  return start;
}
