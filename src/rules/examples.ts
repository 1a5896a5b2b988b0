import { TenterhookError } from "../core/base/errors.ts";
import { type PreparedRule, referenceOf } from "./compiled/prepared-rule.ts";
import { ruleHolds } from "./compiled/rule-holds.ts";
import { looksAtShellText } from "./conditions/compile.ts";
import { testsOf } from "./conditions/condition.ts";
import { withField } from "./fields/fields.ts";
import { type RuleEvent, subjectOf } from "./fields/judged-event.ts";
import type { Rule, RuleExample } from "./rule.ts";

/**
 * Checks examples against rules: `match` says that some rule other than a `continue` decides, `not_match` that none
 * does. Everything the rules need must be loaded.
 *
 * @throws TenterhookError `bad_example` that shows the first example that fails and the rule that decided, if any.
 */
export function checkExamples(
  examples: readonly RuleExample[],
  rules: readonly PreparedRule[],
  owner: string,
): void {
  if (examples.length === 0) return;
  for (const [at, example] of examples.entries()) {
    const wanted = "match" in example;
    const written = "match" in example ? example.match : example.not_match;
    const event = exampleEvent(
      written,
      rules.map(({ rule }) => rule),
    );
    const decided = rules.find((rule) => ruleHolds(rule, subjectOf(event, rule.ports)));
    const matched = decided !== undefined && decided.rule.action.type !== "continue";
    if (matched === wanted) continue;
    const name = `example ${at + 1} of ${owner}, ${wanted ? "match" : "not_match"}: ${shown(written)}`;
    throw new TenterhookError("bad_example", `In ${name}: ${problem(decided, rules)}`);
  }
}

function problem(decided: PreparedRule | undefined, rules: readonly PreparedRule[]): string {
  const [only] = rules;
  if (decided !== undefined) return `rule ${shownRule(decided)} decides it.`;
  return rules.length === 1 && only !== undefined
    ? `rule ${shownRule(only)} does not match it.`
    : `none of the ${rules.length} rules matches it.`;
}

function shownRule(prepared: PreparedRule): string {
  const { index, source, line } = referenceOf(prepared);
  return `${index + 1}${line === undefined ? "" : ` (line ${line})`}, ${source},`;
}

function shown(written: unknown): string {
  return (JSON.stringify(written) ?? "").slice(0, 300);
}

const BASE: RuleEvent = { hook_event_name: "PreToolUse", session_id: "example", cwd: "/project" };

/**
 * The event that an example of rules means. A string is a command line; for rules that look at neither shell text nor a call it
 * is the value of the fields they look at. An event may leave out what every event has.
 */
export function exampleEvent(written: string | RuleEvent, rules: readonly Rule[]): RuleEvent {
  if (typeof written !== "string") return { ...BASE, ...written };
  const tests = rules.flatMap(({ condition }) => testsOf(condition));
  const fields = tests
    .filter((test) => test.operator !== "exists" && !FIXED.has(test.field))
    .map((test) => test.field);
  if (fields.length === 0 || tests.some(looksAtShellText)) {
    return { ...BASE, tool_name: "Bash", tool_input: { command: written } };
  }
  // A field that can't hold the text together with the others stays as it is.
  return fields.reduce((event, field) => {
    try {
      return withField(event, TEXT_OF[field] ?? field, written);
    } catch {
      return event;
    }
  }, BASE);
}

/** Fields that an example's text is never the value of. */
const FIXED = new Set(["event", "tool", "tool_name", "hook_event_name"]);
const TEXT_OF: Readonly<Record<string, string>> = { path: "args.file_path" };
