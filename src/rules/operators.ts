import { compileGlob } from "../core/glob.ts";
import type { ConditionValue } from "./condition.ts";
import { globPattern } from "./index/glob-pattern.ts";
import type { Pattern } from "./index/pattern.ts";
import { regexPattern } from "./index/regex-pattern.ts";
import type { OperatorName } from "./operator-names.ts";
import { compilePathPattern, pathPattern } from "./paths.ts";
import { compileRegex } from "./regex.ts";
import type { RulePorts } from "./subject.ts";
import type { Access } from "./touched.ts";

/** How an operator is to be compiled: `path` when the text it will see is a path. */
export interface OperatorOptions {
  readonly fold: boolean;
  readonly path: boolean;
  readonly ports: RulePorts;
}

/**
 * What an operator does.
 *
 * - `text`: asks something of a text; `pattern` is what such a text must look like, for the index.
 * - `presence`, `number`: ask something of the value itself.
 * - `runs`, `touches`, `dynamic`: ask what shell text, or a call, does.
 */
export type Operator =
  | {
      readonly kind: "text";
      /** Holds when the test does not. */
      readonly negated?: true;
      readonly regex?: true;
      compile(value: ConditionValue, options: OperatorOptions): (text: string) => boolean;
      pattern(value: ConditionValue, options: OperatorOptions): Pattern;
    }
  | { readonly kind: "presence" }
  | { readonly kind: "number"; holds(found: number, value: number): boolean }
  | { readonly kind: "runs" }
  | { readonly kind: "touches"; readonly access: Access }
  | { readonly kind: "dynamic" };

type Compare = (text: string, value: string) => boolean;

function comparison(compare: Compare, negated = false): Operator {
  return {
    kind: "text",
    ...(negated ? ({ negated: true } as const) : {}),
    compile: (value, { fold }) => {
      const wanted = String(value);
      if (!fold) return (text) => compare(text, wanted);
      const lower = wanted.toLowerCase();
      return (text) => compare(text.toLowerCase(), lower);
    },
    pattern: (value) => ({ type: "text", text: String(value) }),
  };
}

const equal: Compare = (text, value) => text === value;

/** Every operator's work, by name. Names, aliases and values stand in `operator-names.ts`. */
export const OPERATORS: Readonly<Record<OperatorName, Operator>> = {
  equals: comparison(equal),
  not_equals: comparison(equal, true),
  contains: comparison((text, value) => text.includes(value)),
  starts_with: comparison((text, value) => text.startsWith(value)),
  ends_with: comparison((text, value) => text.endsWith(value)),
  glob: {
    kind: "text",
    compile: (value, { fold, path, ports }) =>
      path
        ? compilePathPattern(String(value), ports, fold)
        : compileGlob(String(value), { kind: "text", ignoreCase: fold }),
    pattern: (value, { path, ports }) =>
      path ? globPattern(pathPattern(String(value), ports), "path") : globPattern(String(value), "text"),
  },
  matches: {
    kind: "text",
    regex: true,
    compile: (value, { fold }) => compileRegex(String(value), fold),
    pattern: (value) => regexPattern(String(value)),
  },
  in: {
    kind: "text",
    compile: (value, { fold }) => {
      const wanted = new Set(listOf(value).map((text) => (fold ? text.toLowerCase() : text)));
      return (text) => wanted.has(fold ? text.toLowerCase() : text);
    },
    pattern: (value) => ({ type: "choice", options: listOf(value).map((text) => ({ type: "text", text })) }),
  },
  exists: { kind: "presence" },
  gt: { kind: "number", holds: (found, value) => found > value },
  gte: { kind: "number", holds: (found, value) => found >= value },
  lt: { kind: "number", holds: (found, value) => found < value },
  lte: { kind: "number", holds: (found, value) => found <= value },
  runs: { kind: "runs" },
  reads: { kind: "touches", access: "reads" },
  writes: { kind: "touches", access: "writes" },
  connects: { kind: "touches", access: "connects" },
  dynamic: { kind: "dynamic" },
};

function listOf(value: ConditionValue): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
