import {
  missingParts,
  type PreparedRule,
  referenceOf,
  ruleRequirements,
  stopsCalls,
} from "./compiled/prepared-rule.ts";
import { ruleHolds } from "./conditions/rule-holds.ts";
import { readShell, toolOf } from "./fields/shell-text.ts";
import { type RuleEvent, type RulePorts, type Subject, sharedSubject } from "./fields/subject.ts";
import { buildIndex, type RuleIndex } from "./index/field-index.ts";
import { occurrenceTest } from "./index/occurrence.ts";
import type { RuleOutcome } from "./rule.ts";
import { compileTemplate, renderValue } from "./template.ts";

/** Decides one event. A promise only when the shell analysis or the regular expression engine must be loaded. */
export type DecideEvent = (event: RuleEvent) => RuleOutcome | Promise<RuleOutcome>;

/** Fewer plain rules than this are asked one by one; an index would cost more than it saves. */
const WORTH_AN_INDEX = 4;

function worthAnIndex(rules: readonly PreparedRule[]): boolean {
  return rules.length >= WORTH_AN_INDEX || rules.some((rule) => rule.regex || rule.shellTests.length > 0);
}

/**
 * Decides in a long-lived process: only rules whose required texts an index finds in the event are asked. The index
 * is built at the first event.
 */
export function indexedDecision(
  rules: readonly PreparedRule[],
  ports: RulePorts,
  owner: string,
): DecideEvent {
  if (!worthAnIndex(rules)) {
    return (event) => decideByRules(rules, sharedSubject(event, ports), owner);
  }
  let index: RuleIndex | undefined;
  return (event) => {
    index ??= buildIndex(rules.map(ruleRequirements));
    const subject = sharedSubject(event, ports);
    const candidates = index.candidates(subject).flatMap((at) => rules[at] ?? []);
    return decideByRules(candidates, subject, owner);
  };
}

/** Decides in a process that sees one event: the required texts of each rule are looked for in it, no index is built. */
export function occurrenceDecision(
  rules: readonly PreparedRule[],
  ports: RulePorts,
  owner: string,
): DecideEvent {
  return (event) => {
    const subject = sharedSubject(event, ports);
    const canHold = occurrenceTest(subject);
    const candidates = rules.filter(({ rule, byItself }) =>
      canHold(rule.condition, { ports, commandByItself: byItself }),
    );
    return decideByRules(candidates, subject, owner);
  };
}

const CONTINUE: RuleOutcome = { action: "continue" };

/**
 * Asks rules in order; the first that holds decides. Returns a promise only when a parser or the regular expression engine
 * has to be loaded.
 *
 * @throws TenterhookError `bad_pattern` when a rule that was not compiled before has a bad pattern.
 */
export function decideByRules(
  rules: readonly PreparedRule[],
  subject: Subject,
  owner: string,
  start = 0,
): RuleOutcome | Promise<RuleOutcome> {
  for (let at = start; at < rules.length; at += 1) {
    const prepared = rules[at];
    if (prepared === undefined) continue;
    const missing = missingParts(prepared, subject);
    if (missing !== undefined) return missing.then(() => decideByRules(rules, subject, owner, at));
    if (ruleHolds(prepared, subject)) return outcomeOf(prepared, subject, owner);
  }
  return CONTINUE;
}

function outcomeOf(prepared: PreparedRule, subject: Subject, owner: string): RuleOutcome {
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
function isUnreadable({ rule, shellTests }: PreparedRule, { event }: Subject): boolean {
  if (!stopsCalls(rule) || shellTests.length === 0 || toolOf(event) !== "Bash") return false;
  const { texts, unreadable } = readShell(event);
  return unreadable && texts.length === 0;
}
