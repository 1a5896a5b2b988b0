import { foldCase } from "../../core/base/text.ts";
import { compileGlob } from "../../core/match/glob.ts";
import type { ConditionValue } from "../conditions/condition.ts";
import { compilePathPattern, pathPattern } from "../fields/path-pattern.ts";
import { globPattern } from "../index/glob-pattern.ts";
import { regexPattern } from "../index/regex-pattern.ts";
import type { Operator } from "./operator.ts";
import { compileRegex } from "./regex.ts";

/** Every operator by name: what it takes, how it compiles, what texts it requires and what it needs to be loaded. */
export const OPERATORS = {
  equals: { value: "any", ...comparison(equal) },
  not_equals: { value: "any", ...comparison(equal), negated: true },
  contains: { value: "any", ...comparison((text, value) => text.includes(value)) },
  starts_with: { value: "any", ...comparison((text, value) => text.startsWith(value)) },
  ends_with: { value: "any", ...comparison((text, value) => text.endsWith(value)) },
  glob: {
    kind: "text",
    value: "text",
    compile: (value, { fold, path, ports }) =>
      path
        ? compilePathPattern(String(value), ports, fold)
        : compileGlob(String(value), { kind: "text", ignoreCase: fold }),
    pattern: (value, { path, ports }) =>
      path ? globPattern(pathPattern(String(value), ports), "path") : globPattern(String(value), "text"),
  },
  matches: {
    kind: "text",
    aliases: ["regex"],
    value: "text",
    needs: "regex",
    compile: (value, { fold }) => compileRegex(String(value), fold),
    pattern: (value) => regexPattern(String(value)),
  },
  in: {
    kind: "text",
    value: "list",
    compile: (value, { fold }) => {
      const wanted = new Set(listOf(value).map((text) => (fold ? foldCase(text) : text)));
      return (text) => wanted.has(fold ? foldCase(text) : text);
    },
    pattern: (value) => ({ type: "choice", options: listOf(value).map((text) => ({ type: "text", text })) }),
  },
  exists: { kind: "presence", value: "flag" },
  gt: { kind: "number", value: "number", holds: (found, value) => found > value },
  gte: { kind: "number", value: "number", holds: (found, value) => found >= value },
  lt: { kind: "number", value: "number", holds: (found, value) => found < value },
  lte: { kind: "number", value: "number", holds: (found, value) => found <= value },
  runs: { kind: "runs", value: "text", needs: "shell" },
  reads: { kind: "touches", access: "reads", value: "text", needs: "shell" },
  writes: { kind: "touches", access: "writes", value: "text", needs: "shell" },
  connects: { kind: "touches", access: "connects", value: "text", needs: "shell" },
  dynamic: { kind: "dynamic", value: "none", needs: "shell" },
} as const satisfies Record<string, Operator>;

/** The name of an operator. */
export type OperatorName = keyof typeof OPERATORS;

/** The row of an operator. */
export function operatorOf(name: OperatorName): Operator {
  return OPERATORS[name];
}

const ALIASES = new Map<string, OperatorName>();
for (const name of Object.keys(OPERATORS)) {
  if (isOperatorName(name)) for (const alias of operatorOf(name).aliases ?? []) ALIASES.set(alias, name);
}

/** The operator a word stands for, by its name or an alias. */
export function operatorNamed(word: string): OperatorName | undefined {
  return isOperatorName(word) ? word : ALIASES.get(word);
}

/** Every word that names an operator, for suggestions. */
export function operatorSpellings(): readonly string[] {
  return [...Object.keys(OPERATORS), ...ALIASES.keys()];
}

function isOperatorName(word: string): word is OperatorName {
  return Object.hasOwn(OPERATORS, word);
}

function equal(text: string, value: string): boolean {
  return text === value;
}

function comparison(compare: (text: string, value: string) => boolean) {
  return {
    kind: "text",
    compile: (value, { fold }) => {
      const wanted = String(value);
      if (!fold) return (text) => compare(text, wanted);
      const lower = foldCase(wanted);
      return (text) => compare(foldCase(text), lower);
    },
    pattern: (value) => ({ type: "text", text: String(value) }),
  } as const satisfies Omit<Extract<Operator, { kind: "text" }>, "value">;
}

function listOf(value: ConditionValue): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
