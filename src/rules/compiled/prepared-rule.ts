import { compileCondition, looksAtShellText, type Predicate } from "../conditions/compile.ts";
import { hasNegation, type TestCondition, testsOf } from "../conditions/condition.ts";
import type { JudgedEvent, RulePorts } from "../fields/judged-event.ts";
import { missingForShell, shellTextIn } from "../fields/shell-analysis.ts";
import { shellTextOf } from "../fields/shell-text.ts";
import { type Requirement, requirementsOf } from "../index/requirements.ts";
import { printRule } from "../language/print.ts";
import { operatorOf } from "../operators/operators.ts";
import { loadRegexEngine, regexEngineLoaded } from "../operators/regex.ts";
import type { Rule, RuleReference } from "../rule.ts";

/** A rule with what is known about it before its patterns are compiled. */
export interface PreparedRule {
  readonly rule: Rule;
  readonly index: number;
  readonly ports: RulePorts;
  readonly regex: boolean;
  /** The tests that ask what shell text does. */
  readonly shellTests: readonly TestCondition[];
  /** An allow that looks at shell text: every command must meet it separately. */
  readonly allowsShell: boolean;
  /** A rule that also holds when one command of the line meets it by itself: see {@link holdsByItself}. */
  readonly byItself: boolean;
  /** Compiled on first use. */
  holds?: Predicate;
  /** Found on first use. */
  requires?: readonly Requirement[];
}

interface KnownRule {
  readonly prepared: PreparedRule;
  /** What `~` in its patterns stands for. */
  readonly home: string | undefined;
}

const known = new WeakMap<Rule, KnownRule>();

/**
 * Looks at a rule without compiling any pattern of it. The same rule is prepared once: the configurations of several projects
 * use the same packs, and each is compiled to check it and again to decide by it.
 */
export function prepareRule(rule: Rule, index: number, ports: RulePorts): PreparedRule {
  const { prepared, home } = known.get(rule) ?? {};
  if (prepared?.index === index && prepared.ports === ports && home === ports.home) return prepared;
  const fresh = newPreparedRule(rule, index, ports);
  known.set(rule, { prepared: fresh, home: ports.home });
  return fresh;
}

function newPreparedRule(rule: Rule, index: number, ports: RulePorts): PreparedRule {
  const tests = testsOf(rule.condition);
  const shellTests = tests.filter((test) => operatorOf(test.operator).needs === "shell");
  return {
    rule,
    index,
    ports,
    regex: tests.some((test) => operatorOf(test.operator).needs === "regex"),
    shellTests,
    allowsShell: rule.action.type === "allow" && tests.some(looksAtShellText),
    byItself: holdsByItself(rule, shellTests),
  };
}

/** What the rule requires of an event, for the index. */
export function ruleRequirements(prepared: PreparedRule): readonly Requirement[] {
  const { rule, ports, byItself } = prepared;
  prepared.requires ??= requirementsOf(rule.condition, { ports, commandByItself: byItself });
  return prepared.requires;
}

/** The compiled condition of a rule. */
export function predicateOf(prepared: PreparedRule): Predicate {
  prepared.holds ??= compileCondition(prepared.rule.condition, prepared.ports);
  return prepared.holds;
}

/** What must be loaded before this rule can be asked about this event, or `undefined`. */
export function missingParts(prepared: PreparedRule, subject: JudgedEvent): Promise<void> | undefined {
  if (prepared.regex && !regexEngineLoaded()) return loadRegexEngine();
  return missingShell(prepared, subject);
}

/** The loading of the shell analysis, if this rule asks about shell text of the event. */
function missingShell(prepared: PreparedRule, subject: JudgedEvent): Promise<void> | undefined {
  const texts = prepared.shellTests.map(({ field }) => shellTextIn(field, subject));
  return missingForShell(prepared.allowsShell ? [...texts, shellTextOf(subject)] : texts);
}

/** How messages and records name a rule. */
export function referenceOf({ rule, index }: PreparedRule): RuleReference {
  const source = printRule(rule);
  return rule.line === undefined ? { index, source } : { index, source, line: rule.line };
}

export function stopsCalls({ action }: Rule): boolean {
  return action.type === "deny" || action.type === "ask" || action.type === "stop";
}

/**
 * `runs "git push --force" and not command contains "--dry-run" -> deny`: with the `not` asked of the whole line,
 * `git push --force; echo --dry-run` would slip through. So a rule that stops something and has both holds as well
 * when one command of the line meets it by itself.
 */
function holdsByItself(rule: Rule, shellTests: readonly TestCondition[]): boolean {
  return stopsCalls(rule) && shellTests.length > 0 && hasNegation(rule.condition);
}
