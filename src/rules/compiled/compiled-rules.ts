import { type DecideEvent, indexedDecision } from "../decision.ts";
import type { RulePorts } from "../fields/judged-event.ts";
import { buildIndex, type RuleIndex } from "../index/rule-index.ts";
import type { Rule } from "../rule.ts";
import { type PreparedRule, prepareRule, ruleRequirements } from "./prepared-rule.ts";

/** The rules of a hook as a cache holds them. */
export interface CompiledRules {
  readonly index: RuleIndex;
  /** Each rule as JSON, without a line break. */
  readonly lines: readonly string[];
}

/** Compiles rules to plain data, so that a process that decides one event reads only the rules that can hold. */
export function compiledRules(rules: readonly Rule[], ports: RulePorts): CompiledRules {
  return {
    index: buildIndex(rules.map((rule, number) => ruleRequirements(prepareRule(rule, number, ports)))),
    // Examples were checked when the configuration was read.
    lines: rules.map(({ examples: _, ...rule }) => JSON.stringify(rule)),
  };
}

/** Decides by compiled rules: only those that the index leaves are read. */
export function compiledDecision(
  index: RuleIndex,
  lines: () => readonly string[],
  ports: RulePorts,
  owner: string,
): DecideEvent {
  const known = read.get(index) ?? new Map<number, PreparedRule>();
  read.set(index, known);
  const ruleAt = (number: number, all: readonly string[]): PreparedRule => {
    const rule: Rule = JSON.parse(all[number] ?? "");
    const prepared = prepareRule(rule, number, ports);
    known.set(number, prepared);
    return prepared;
  };
  const rulesAt = (numbers: readonly number[]) => {
    const all = numbers.every((number) => known.has(number)) ? [] : lines();
    return numbers.map((number) => known.get(number) ?? ruleAt(number, all));
  };
  return indexedDecision(() => index, rulesAt, ports, owner);
}

/** The rules that were read, by their index: a process that decides many events compiles each once. */
const read = new WeakMap<RuleIndex, Map<number, PreparedRule>>();
