import { isRegExp } from "node:util/types";
import { isRecord } from "../../core/base/json.ts";
import type { Tried } from "../tried-hooks.ts";
import { actualOf, deciders, ruleOf } from "./actual.ts";
import { type Expected, textPattern } from "./case-schema.ts";

/** Something that was not decided as expected. */
export interface Difference {
  /** `reason`, `input.command`. */
  readonly key: string;
  readonly expected: unknown;
  /** `undefined` for nothing. */
  readonly actual: unknown;
}

/** Compares a decision with what a case expects of it; what the case does not name is not compared. */
export function differences(expect: Expected, tried: Tried): readonly Difference[] {
  const actual = actualOf(tried);
  const by = deciders(tried.decision.action, tried.decision.runs);
  const { hook, rule, context, messages, ...alike } = expect;
  const hooks = by.map(({ name }) => name);
  const rules = by.flatMap((run) => ruleOf(run) ?? []);
  return [
    ...Object.entries(alike).flatMap(([key, wanted]) => unlike(key, wanted, Reflect.get(actual, key))),
    ...oneOf("hook", hook, hooks),
    ...oneOf("rule", rule, rules),
    ...oneOf("context", context, actual.context ?? []),
    ...oneOf("messages", messages, actual.messages ?? []),
  ];
}

/** An expected object is compared key by key; other keys of what came do not matter. */
export function unlike(key: string, expected: unknown, actual: unknown): readonly Difference[] {
  if (isRecord(expected) && !isRegExp(expected))
    return isRecord(actual)
      ? Object.entries(expected).flatMap(([name, value]) => unlike(`${key}.${name}`, value, actual[name]))
      : [{ key, expected, actual }];
  return fits(expected, actual) ? [] : [{ key, expected, actual }];
}

function oneOf(key: string, expected: unknown, actual: readonly string[]): readonly Difference[] {
  if (expected === undefined) return [];
  const isThere = expected === false ? actual.length === 0 : actual.some((text) => fits(expected, text));
  const shown = actual.length > 1 ? actual : actual[0];
  return isThere ? [] : [{ key, expected, actual: shown }];
}

function fits(expected: unknown, actual: unknown): boolean {
  if (typeof expected === "boolean" && typeof actual !== "boolean")
    return expected === (actual !== undefined);
  if (isRegExp(expected)) return typeof actual === "string" && actual.search(expected) !== -1;
  const pattern = textPattern(expected);
  if (typeof pattern === "function") return typeof actual === "string" && pattern(actual);
  return JSON.stringify(expected) === JSON.stringify(actual);
}
