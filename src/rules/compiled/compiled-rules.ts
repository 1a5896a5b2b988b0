import { type DecideEvent, decideByRules } from "../decision.ts";
import { type RulePorts, sharedSubject } from "../fields/subject.ts";
import { rarestRequirements } from "../index/field-index.ts";
import type { FieldReading } from "../index/field-reading.ts";
import { occurrenceTest } from "../index/occurrence.ts";
import type { Rule, RuleOutcome } from "../rule.ts";
import { type CompiledIndex, candidateRules } from "./compiled-index.ts";
import { prepareRule, ruleRequirements } from "./prepared-rule.ts";

/** The rules of a hook as a cache holds them. */
export interface CompiledRules {
  readonly index: CompiledIndex;
  /** Each rule as JSON, without a line break. */
  readonly lines: readonly string[];
}

/** Compiles rules to plain data, so that a process that decides one event reads only the rules that can hold. */
export function compiledRules(rules: readonly Rule[], ports: RulePorts): CompiledRules {
  const always: number[] = [];
  const fields = new Map<string, { reading: FieldReading; texts: string[]; rules: number[] }>();
  const required = rules.map((rule, index) => ruleRequirements(prepareRule(rule, index, ports)));
  for (const [rule, texts] of rarestRequirements(required).entries()) {
    if (texts === undefined) always.push(rule);
    for (const { field, reading, text } of texts ?? []) {
      const there = fields.get(field.key) ?? { reading, texts: [], rules: [] };
      fields.set(field.key, there);
      there.texts.push(text);
      there.rules.push(rule);
    }
  }
  return {
    index: { always, fields: [...fields.values()] },
    // Examples were checked when the configuration was read.
    lines: rules.map(({ examples: _, ...rule }) => JSON.stringify(rule)),
  };
}

/** Decides by compiled rules: only those whose required texts occur in the event are read. */
export function compiledDecision(
  index: CompiledIndex,
  lines: () => readonly string[] | Promise<readonly string[]>,
  ports: RulePorts,
  owner: string,
): DecideEvent {
  return function decide(event): RuleOutcome | Promise<RuleOutcome> {
    const subject = sharedSubject(event, ports);
    const found = candidateRules(index, subject);
    if (found instanceof Promise) return found.then(() => decide(event));
    if (found.size === 0) return { action: "continue" };
    const canHold = occurrenceTest(subject);
    const byRules = (all: readonly string[]): RuleOutcome | Promise<RuleOutcome> => {
      const candidates = [...found]
        .sort((a, b) => a - b)
        .map((number) => {
          const rule: Rule = JSON.parse(all[number] ?? "");
          return prepareRule(rule, number, ports);
        })
        .filter(({ rule, byItself }) => canHold(rule.condition, { ports, commandByItself: byItself }));
      return decideByRules(candidates, subject, owner);
    };
    const all = lines();
    return "then" in all ? all.then(byRules) : byRules(all);
  };
}
