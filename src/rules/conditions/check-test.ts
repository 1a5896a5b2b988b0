import type { OperatorValue } from "../operators/operator.ts";
import { type OperatorName, operatorOf } from "../operators/operators.ts";
import type { ConditionValue } from "./condition.ts";

const EXPECTED: Readonly<Record<OperatorValue, string>> = {
  any: "a text, a number, true or false",
  text: "a text",
  number: "a number",
  list: 'a list such as ["a", "b"]',
  flag: "true, false or nothing",
  none: "no value",
};

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value));

const FITS: Readonly<Record<OperatorValue, (value: unknown) => boolean>> = {
  any: isScalar,
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  list: (value) => Array.isArray(value) && value.length > 0 && value.every(isScalar),
  flag: (value) => value === undefined || typeof value === "boolean",
  none: (value) => value === undefined,
};

/** What the operator takes as its value, in words: `a number`. */
export function expectedValue(operator: OperatorName): string {
  return EXPECTED[operatorOf(operator).value];
}

/** True when this operator can compare with this value; `undefined` stands for no value at all. */
export function takesValue(operator: OperatorName, value: unknown): value is ConditionValue | undefined {
  return FITS[operatorOf(operator).value](value);
}

const ASKED_OF_CALL = new Set<OperatorName>(["runs", "reads", "writes", "connects", "dynamic"]);

/** What is wrong with asking this of that field, or `undefined`. `call` is no text: it knows only what it touches. */
export function fieldProblem(field: string, operator: OperatorName): string | undefined {
  if (field !== "call" || ASKED_OF_CALL.has(operator)) return undefined;
  return `"call" can be asked ${[...ASKED_OF_CALL].join(", ")}, not ${operator}; use a field such as command, path or args.…`;
}
