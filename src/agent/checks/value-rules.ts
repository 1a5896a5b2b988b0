import { checkKeys } from "../../core/base/check-options.ts";
import { invalidOption } from "../../core/base/errors.ts";
import { frozenCopy, isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";

export interface ValueRule {
  readonly must: string;
  readonly fits: (value: unknown) => boolean;
}

/** A value that is not checked here. */
export const ANYTHING: ValueRule = { must: "", fits: () => true };
export const TEXT: ValueRule = { must: "a string", fits: (value) => typeof value === "string" };
export const ID: ValueRule = {
  must: "a string that is not empty",
  fits: (value) => typeof value === "string" && value !== "",
};
export const TEXTS: ValueRule = {
  must: "a list of strings",
  fits: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};
export const LIST: ValueRule = { must: "a list", fits: Array.isArray };
export const FUNCTION: ValueRule = { must: "a function", fits: (value) => typeof value === "function" };
export const FLAG: ValueRule = { must: "true or false", fits: (value) => typeof value === "boolean" };
export const COUNT: ValueRule = {
  must: "a whole number of 1 or more",
  fits: (value) => Number.isInteger(value) && Number(value) >= 1,
};
export const AMOUNT: ValueRule = {
  must: "a number of 0 or more",
  fits: (value) => typeof value === "number" && value >= 0,
};

/** @throws TenterhookError `unknown_option`, `invalid_option`. */
export function checkWhole(
  value: object,
  rules: Readonly<Record<string, ValueRule>>,
  place: string,
  required: readonly string[] = [],
): void {
  checkKeys(value, Object.keys(rules), place);
  const values: Readonly<Record<string, unknown>> = { ...value };
  const missing = required.find((name) => values[name] === undefined);
  if (missing !== undefined)
    throw invalidOption(`${place}: ${missing} is missing; it must be ${rules[missing]?.must}.`);
  for (const [name, { must, fits }] of Object.entries(rules)) {
    const value = values[name];
    if (value === undefined || fits(value)) continue;
    throw invalidOption(`${place}: ${name} is ${shown(value)}; it must be ${must}.`);
  }
}

export function shown(value: unknown): string {
  return capText(JSON.stringify(frozenCopy(value)) ?? String(value), 100);
}

/** One of some words, or else another value. */
export function oneOf(names: readonly string[], other?: ValueRule): ValueRule {
  const all = other === undefined ? names : [...names, other.must];
  const must = `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
  return {
    must,
    fits: (value) => (typeof value === "string" && names.includes(value)) || other?.fits(value) === true,
  };
}

/** An object, with a method. */
export function having(method: string | undefined, must: string): ValueRule {
  return {
    must,
    fits: (value) => isRecord(value) && (method === undefined || typeof value[method] === "function"),
  };
}
