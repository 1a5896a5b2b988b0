import type { ConditionValue } from "../conditions/condition.ts";
import type { RulePorts } from "../fields/subject.ts";
import type { Access } from "../fields/touched.ts";
import type { Pattern } from "../index/pattern.ts";

/**
 * What an operator takes as its value.
 * `any`: text, number or boolean. `list`: several of these. `flag`: nothing, or true or false. `none`: nothing.
 */
export type OperatorValue = "any" | "text" | "number" | "list" | "flag" | "none";

/** How a text operator is to be compiled: `path` when the text it will see is a path. */
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
export type OperatorWork =
  | {
      readonly kind: "text";
      /** Holds when the test does not. */
      readonly negated?: true;
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
  /** Other names it answers to. */
  readonly aliases?: readonly string[];
  readonly value: OperatorValue;
  /** What has to be loaded before it can work. */
  readonly needs?: "regex" | "shell";
};
