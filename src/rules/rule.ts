import type { Effect } from "../core/events/effects.ts";
import type { Condition } from "./conditions/condition.ts";

/** A value a rule writes into a field: anything JSON can hold. Texts in it are templates. */
export type RuleValue =
  | string
  | number
  | boolean
  | null
  | readonly RuleValue[]
  | { readonly [key: string]: RuleValue };

interface ActionRow {
  /** Absent: the rule has no opinion. */
  readonly effect?: Effect;
  /** True when the action is nothing without its text. */
  readonly needs_text?: true;
  /** How it is written in one line. */
  readonly written: string;
  readonly docs: string;
}

/** The one table of what rules do: types, parsers, checks, the schema and the reference are derived from it. */
export const RULE_ACTIONS = {
  continue: { written: "continue()", docs: "No opinion; the rules below are not asked." },
  allow: { effect: "allow", written: 'allow("…")', docs: "Lets it pass without asking the user." },
  ask: { effect: "ask", written: 'ask("…")', docs: "Asks a human." },
  deny: { effect: "deny", written: 'deny("…")', docs: "Refuses; the model reads the reason." },
  context: {
    effect: "context",
    needs_text: true,
    written: 'context("…")',
    docs: "Tells the model something.",
  },
  stop: { effect: "abort", written: 'stop("…")', docs: "Ends the run." },
  retry: { effect: "retry", written: 'retry("…")', docs: "On Error: tries again." },
  answer: {
    effect: "answer",
    needs_text: true,
    written: 'answer("…")',
    docs: "On PreToolUse: the result, without running the tool. On AgentPrompt: answers it.",
  },
  keep_going: {
    effect: "keep_going",
    needs_text: true,
    written: 'keep_going("…")',
    docs: "On Stop and SubagentStop: the agent does not stop; it reads the text next.",
  },
  modify: { effect: "rewrite", written: "set(FIELD, VALUE)", docs: "Changes a field of the event." },
} as const satisfies Readonly<Record<string, ActionRow>>;

type ActionName = keyof typeof RULE_ACTIONS;

/** An action with a text: the reason, or what the model or the agent gets. */
export type TextAction = Exclude<ActionName, "continue" | "modify">;

export function isTextAction(name: string): name is TextAction {
  return Object.hasOwn(RULE_ACTIONS, name) && name !== "continue" && name !== "modify";
}

export function actionRow(name: ActionName): ActionRow {
  return RULE_ACTIONS[name];
}

/** What a rule does when its condition holds. `continue` ends the search without an opinion. */
export type RuleAction =
  | { readonly type: "continue" }
  | { readonly type: TextAction; readonly text: string }
  | { readonly type: "modify"; readonly field: string; readonly value: RuleValue };

/** One inline rule, whichever way it was spelt. */
export interface Rule {
  readonly condition: Condition;
  readonly action: RuleAction;
  /** True when the rule only shows what it would do; the rules below are asked. */
  readonly shadow?: true;
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

/** What the rules of one hook say to one event, and what the first shadow rule that holds would have said. */
export type RuleOutcome = RuleVerdict & { readonly would?: RuleVerdict };

type RuleVerdict =
  | { readonly action: "continue"; readonly rule?: RuleReference }
  | {
      readonly action: TextAction;
      readonly text: string;
      readonly rule: RuleReference;
    }
  | {
      readonly action: "modify";
      readonly field: string;
      readonly value: RuleValue;
      readonly rule: RuleReference;
    };

/** The types of actions of the rules that decide: a rule in shadow mode only shows what it would do. */
export function decidingActions(rules: readonly Rule[]): readonly RuleAction["type"][] {
  return rules.flatMap(({ action, shadow }) => (shadow === true ? [] : [action.type]));
}
