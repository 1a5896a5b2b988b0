import { eventRow } from "../core/events/event-table.ts";
import {
  missingParts,
  type PreparedRule,
  prepareRule,
  referenceOf,
  ruleRequirements,
  stopsCalls,
} from "./compiled/prepared-rule.ts";
import { ruleFit } from "./compiled/rule-holds.ts";
import {
  type JudgedEvent,
  type RuleEvent,
  type RulePorts,
  sharedJudgedEvent,
} from "./fields/judged-event.ts";
import { readShell, toolOf } from "./fields/shell-text.ts";
import { buildIndex, candidateRules, type RuleIndex } from "./index/rule-index.ts";
import type { Rule, RuleOutcome } from "./rule.ts";
import { compileTemplate, renderValue } from "./template.ts";

/** Decides one event. A promise only when the shell analysis or the regular expression engine must be loaded. */
export type DecideEvent = (event: RuleEvent) => RuleOutcome | Promise<RuleOutcome>;

/** Decides by the rules that the index leaves for an event. `rulesAt` reads rules by their numbers. */
export function indexedDecision(
  index: () => RuleIndex,
  rulesAt: (numbers: readonly number[]) => readonly PreparedRule[],
  ports: RulePorts,
  owner: string,
): DecideEvent {
  return function decide(event): RuleOutcome | Promise<RuleOutcome> {
    const subject = sharedJudgedEvent(event, ports);
    const candidates = candidateRules(index(), subject);
    if (candidates instanceof Promise) return candidates.then(() => decide(event));
    if (candidates.length === 0) return CONTINUE;
    return decideByRules(rulesAt(candidates), subject, owner);
  };
}

const CONTINUE: RuleOutcome = { action: "continue" };

/**
 * Asks rules in order; the first that holds decides, but for shadow rules, which only show what they would do. Returns a
 * promise only when a parser or the regular expression engine has to be loaded.
 *
 * @throws TenterhookError `bad_pattern` when a rule that was not compiled before has a bad pattern.
 */
export function decideByRules(
  rules: readonly PreparedRule[],
  subject: JudgedEvent,
  owner: string,
  start = 0,
  doubted?: PreparedRule,
  shadow?: PreparedRule,
): RuleOutcome | Promise<RuleOutcome> {
  let doubtful = doubted;
  let would = shadow;
  const outcome = (verdict: RuleOutcome): RuleOutcome =>
    would === undefined ? verdict : { ...verdict, would: outcomeOf(would, subject, owner) };
  for (let at = start; at < rules.length; at += 1) {
    const prepared = rules[at];
    if (prepared === undefined) continue;
    const missing = missingParts(prepared, subject);
    if (missing !== undefined)
      return missing.then(() => decideByRules(rules, subject, owner, at, doubtful, would));
    const fit = ruleFit(prepared, subject);
    if (prepared.rule.shadow === true) {
      if (fit === "yes") would ??= prepared;
      continue;
    }
    if (fit === "maybe") doubtful ??= prepared;
    if (fit !== "yes") continue;
    // A rule that stops the call for certain says more than one that may; any other would pass over it.
    if (doubtful === undefined || stopsCalls(prepared.rule))
      return outcome(outcomeOf(prepared, subject, owner));
    break;
  }
  return outcome(doubtful === undefined ? CONTINUE : doubtfulOutcome(doubtful, subject, owner));
}

/**
 * What becomes of a call that a rule may be about: a human decides, or where nobody can be asked, the rule does. Where an
 * event can allow but not ask, somebody is being asked already.
 */
function doubtfulOutcome(prepared: PreparedRule, subject: JudgedEvent, owner: string): RuleOutcome {
  const outcome = outcomeOf(prepared, subject, owner);
  const { effects = [] } = eventRow(String(subject.event.hook_event_name)) ?? {};
  if (!("text" in outcome)) return outcome;
  if (!effects.includes("ask") && effects.includes("allow")) return CONTINUE;
  return {
    ...outcome,
    action: effects.includes("ask") ? "ask" : outcome.action,
    text: `${outcome.text}\n${GAVE_UP}`,
  };
}

const GAVE_UP =
  "This command is too long or too deep to be read to its end, so this rule may be about a part of it. Split it into several calls.";

function outcomeOf(prepared: PreparedRule, subject: JudgedEvent, owner: string): RuleOutcome {
  const { action } = prepared.rule;
  const rule = referenceOf(prepared);
  if (action.type === "continue") return { action: "continue", rule };
  if (action.type === "modify")
    return { action: "modify", field: action.field, value: renderValue(action.value, subject), rule };
  const reason = compileTemplate(action.text).render(subject);
  const parts = isUnreadable(prepared, subject) ? [reason, UNREADABLE] : [reason];
  const text = parts.filter((part) => part !== "").join("\n");
  return { action: action.type, text: text === "" ? `Rule ${rule.index + 1} of ${owner}.` : text, rule };
}

const UNREADABLE =
  "The command of this call can't be read, so what it would do is unknown. Give it as a string or a list of strings.";

/** True when a rule stops a shell whose text may do anything: its own reason may not be about this call. */
function isUnreadable({ rule, shellTests }: PreparedRule, { event }: JudgedEvent): boolean {
  if (!stopsCalls(rule) || shellTests.length === 0 || toolOf(event) !== "Bash") return false;
  const { texts, unreadable } = readShell(event);
  return unreadable && texts.length === 0;
}

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
