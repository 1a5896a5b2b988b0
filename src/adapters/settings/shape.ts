import { isRecord } from "../../core/base/json.ts";
import { isRegex } from "../../node/regex.ts";
import type { SettingsPath } from "./json-edit.ts";

/*
 * Some agents ignore a whole settings file, our hooks included, when one thing in it is not as it should be. What that is,
 * each of them says with these checks.
 */

/** A setting that is not as the agent needs it. */
export interface WrongSetting {
  readonly path: SettingsPath;
  /** Follows "must be". */
  readonly must_be: string;
}

/** Finds the first thing that is wrong in a value, which is at this path. */
export type Check = (value: unknown, path: SettingsPath) => WrongSetting | undefined;

type Checks = Readonly<Record<string, Check>>;

export function must(must_be: string, is: (value: unknown) => boolean): Check {
  return (value, path) => (is(value) ? undefined : { path, must_be });
}

const isText = (value: unknown): value is string => typeof value === "string";

export const text = must("a string", isText);
export const flag = must("true or false", (value) => typeof value === "boolean");
export const object = must("an object", isRecord);
export const list = must("a list", Array.isArray);
export const seconds = must("a number above 0", (value) => typeof value === "number" && value > 0);
export const regex = must("a regular expression", isRegex);
export const texts = must("a list of strings", (value) => Array.isArray(value) && value.every(isText));

export function oneOf(...values: readonly unknown[]): Check {
  return must(`one of ${values.join(", ")}`, (value) => values.includes(value));
}

/** An object with these settings. Other keys are not checked. */
export function shape({ needs = {}, may = {} }: { readonly needs?: Checks; readonly may?: Checks }): Check {
  return (value, path) => {
    if (!isRecord(value)) return object(value, path);
    return firstWrong(Object.entries({ ...needs, ...may }), ([key, check]) =>
      Object.hasOwn(value, key) || Object.hasOwn(needs, key) ? check(value[key], [...path, key]) : undefined,
    );
  };
}

export function listOf(item: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? firstWrong([...value.entries()], ([at, one]) => item(one, [...path, at]))
      : list(value, path);
}

export function firstWrong<T>(
  items: readonly T[],
  check: (item: T) => WrongSetting | undefined,
): WrongSetting | undefined {
  for (const item of items) {
    const found = check(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** As part of a sentence. */
export function wrongText({ path, must_be }: WrongSetting): string {
  return `${path.join(".")} must be ${must_be}`;
}
