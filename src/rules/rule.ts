import type { Condition } from "./conditions/condition.ts";

/** A value a rule writes into a field: anything JSON can hold. Texts in it are templates. */
export type RuleValue =
  | string
  | number
  | boolean
  | null
  | readonly RuleValue[]
  | { readonly [key: string]: RuleValue };

/** The actions that have a text: the reason, or for `context` what the model gets, for `answer` what is answered. */
export const TEXT_ACTIONS = ["allow", "ask", "deny", "context", "stop", "retry", "answer"] as const;

/** The actions that are nothing without their text. */
export const NEEDS_TEXT: readonly string[] = ["context", "answer"];

/** What a rule does when its condition holds. `continue` ends the search without an opinion. */
export type RuleAction =
  | { readonly type: "continue" }
  | { readonly type: (typeof TEXT_ACTIONS)[number]; readonly text: string }
  | { readonly type: "modify"; readonly field: string; readonly value: RuleValue };

/** One inline rule, whichever way it was spelt. */
export interface Rule {
  readonly condition: Condition;
  readonly action: RuleAction;
  /** The line of a one-line rule, counted from 1. */
  readonly line?: number;
  readonly examples?: readonly RuleExample[];
}

/** A command line or an event that the rules must, or must not, decide. */
export type RuleExample =
  | { readonly match: string | Readonly<Record<string, unknown>> }
  | { readonly not_match: string | Readonly<Record<string, unknown>> };

/** Which rule decided: its place in the list, its one-line spelling and, if it came from text, its line. */
export interface RuleReference {
  readonly index: number;
  readonly source: string;
  readonly line?: number;
}

/** What the rules of one hook say to one event. */
export type RuleOutcome =
  | { readonly action: "continue"; readonly rule?: RuleReference }
  | {
      readonly action: (typeof TEXT_ACTIONS)[number];
      readonly text: string;
      readonly rule: RuleReference;
    }
  | {
      readonly action: "modify";
      readonly field: string;
      readonly value: RuleValue;
      readonly rule: RuleReference;
    };
