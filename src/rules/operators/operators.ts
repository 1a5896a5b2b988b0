import { foldCase } from "../../core/base/text.ts";
import { compileGlob } from "../../core/match/glob.ts";
import type { RulePorts } from "../fields/judged-event.ts";
import { compilePathPattern, pathPattern } from "../fields/paths.ts";
import type { Access } from "../fields/touched.ts";
import { globPattern } from "./glob-pattern.ts";
import type { Pattern } from "./pattern.ts";
import { compileRegex } from "./regex.ts";
import { regexPattern } from "./regex-pattern.ts";

/** What a test compares with. A list is for the operator `in`. */
export type ConditionValue = string | number | boolean | readonly (string | number | boolean)[];

/**
 * What an operator takes as its value.
 * `any`: a string, number or boolean. `list`: several of these. `flag`: nothing, or true or false. `none`: nothing.
 */
type OperatorValue = "any" | "text" | "number" | "list" | "flag" | "none";

/** How a text operator is compiled: `path` when the text it will see is a path. */
interface OperatorOptions {
  readonly fold: boolean;
  readonly path: boolean;
  readonly ports: RulePorts;
}

/**
 * What an operator does. The compiler asks for a new kind in `conditions/compile.ts` and `index/requirements.ts`.
 *
 * - `text`: tests a text; `pattern` is the shape of such a text, for the index.
 * - `presence`, `number`: test the value itself.
 * - `runs`, `touches`, `dynamic`: test what shell text, or a call, does.
 */
type OperatorWork =
  | {
      readonly kind: "text";
      compile(value: ConditionValue, options: OperatorOptions): (text: string) => boolean;
      pattern(value: ConditionValue, options: OperatorOptions): Pattern;
    }
  | { readonly kind: "presence" }
  | { readonly kind: "number"; holds(found: number, value: number): boolean }
  | { readonly kind: "runs" }
  | { readonly kind: "touches"; readonly access: Access }
  | { readonly kind: "dynamic" };

/** A row of the operator table. */
export type Operator = OperatorWork & {
  readonly aliases?: readonly string[];
  readonly value: OperatorValue;
  /** It holds when its test does not. A rule that stops is then asked of each command of a line by itself, too. */
  readonly negated?: true;
  /** What has to be loaded before it can work. */
  readonly needs?: "regex" | "shell";
};

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
  gt: { kind: "number", aliases: [">"], value: "number", holds: (found, value) => found > value },
  gte: { kind: "number", aliases: [">="], value: "number", holds: (found, value) => found >= value },
  lt: { kind: "number", aliases: ["<"], value: "number", holds: (found, value) => found < value },
  lte: { kind: "number", aliases: ["<="], value: "number", holds: (found, value) => found <= value },
  runs: { kind: "runs", value: "text", needs: "shell" },
  reads: { kind: "touches", access: "reads", value: "text", needs: "shell" },
  writes: { kind: "touches", access: "writes", value: "text", needs: "shell" },
  connects: { kind: "touches", access: "connects", value: "text", needs: "shell" },
  dynamic: { kind: "dynamic", value: "none", needs: "shell" },
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof OPERATORS;

export function operatorOf(name: OperatorName): Operator {
  return OPERATORS[name];
}

const ALIASES = new Map<string, OperatorName>();
for (const name of Object.keys(OPERATORS)) {
  if (isOperatorName(name)) for (const alias of operatorOf(name).aliases ?? []) ALIASES.set(alias, name);
}

export function operatorNamed(word: string): OperatorName | undefined {
  return isOperatorName(word) ? word : ALIASES.get(word);
}

/** Names and aliases, for suggestions. */
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

/** The items of a list, or the one value, as texts. */
function listOf(value: ConditionValue): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

const EXPECTED: Readonly<Record<OperatorValue, string>> = {
  any: "a string, a number, true or false",
  text: "a string",
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

/** What the operator takes, in words: `a number`. */
export function expectedValue(operator: OperatorName): string {
  return EXPECTED[operatorOf(operator).value];
}

/** True when the operator can compare with this value; `undefined` means no value. */
export function takesValue(operator: OperatorName, value: unknown): value is ConditionValue | undefined {
  return FITS[operatorOf(operator).value](value);
}

/** Why the operator can't be used on this field. `call` is not a text: only what it does can be tested. */
export function fieldProblem(field: string, operator: OperatorName): string | undefined {
  if (field !== "call" || operatorOf(operator).needs === "shell") return undefined;
  const asked = Object.keys(OPERATORS).filter(
    (name) => isOperatorName(name) && operatorOf(name).needs === "shell",
  );
  return `"call" can be asked ${asked.join(", ")}, not ${operator}; use a field such as command, path or args.…`;
}
