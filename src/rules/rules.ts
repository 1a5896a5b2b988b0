import { TenterhookError } from "../core/base/errors.ts";
import { type PreparedRule, predicateOf, prepareRule, ruleRequirements } from "./compiled/prepared-rule.ts";
import { runsPattern } from "./conditions/compile.ts";
import { type DecideEvent, indexedDecision } from "./decision.ts";
import { checkExamples } from "./examples.ts";
import type { RulePorts } from "./fields/judged-event.ts";
import { compileRuns, loadShellAnalysis } from "./fields/shell-analysis.ts";
import { buildIndex, type RuleIndex } from "./index/rule-index.ts";
import { parseRules } from "./language/parse.ts";
import { bad, shown } from "./objects/condition-object.ts";
import { readExamples, readRules } from "./objects/rule-object.ts";
import { loadRegexEngine } from "./operators/regex.ts";
import type { Rule } from "./rule.ts";
import { RuleError } from "./rule-error.ts";
import { compileTemplate } from "./template.ts";

/** An inline hook as a configuration file holds it; other keys of the hook are not looked at here. */
export interface InlineDefinition {
  readonly name: string;
  /** Rules as a list of objects, tried before `rules`. */
  readonly inline_rules?: unknown;
  /** Rules in the one-line language. */
  readonly rules?: unknown;
  readonly examples?: unknown;
}

/** The rules of one inline hook, ready to decide. */
export interface InlineRules {
  readonly rules: readonly Rule[];
  /** What the rules say to an event: the first that holds decides, none is `continue`. */
  readonly decide: DecideEvent;
}

/**
 * Compiles an inline hook for a long-lived process: every pattern is compiled, every example checked, and an index
 * over the texts the rules require is built at the first event.
 *
 * @throws TenterhookError `bad_rule`, `bad_pattern` or `bad_example` for anything that can't work as written.
 */
export async function compileInlineRules(
  definition: InlineDefinition,
  ports: RulePorts,
): Promise<InlineRules> {
  const owner = ownerOf(definition);
  const rules = readInlineRules(definition);
  const prepared = rules.map((rule, index) => prepareRule(rule, index, ports));
  await Promise.all([
    prepared.some((rule) => rule.regex) ? loadRegexEngine() : undefined,
    prepared.some((rule) => rule.allowsShell || rule.shellTests.length > 0) ? loadShellAnalysis() : undefined,
  ]);
  for (const rule of prepared) compileWhole(rule, owner);
  for (const rule of prepared) {
    checkExamples(rule.rule.examples ?? [], [rule], `rule ${rule.index + 1} of ${owner}`);
  }
  checkExamples(readExamples(definition.examples ?? [], owner), prepared, owner);
  return { rules, decide: decisionBy(prepared, ports, owner) };
}

/**
 * Opens an inline hook for a process that decides one event: a rule is compiled only when the texts it requires occur
 * in the event, and examples are not checked.
 *
 * @throws TenterhookError `bad_rule` for rules that can't be read; a bad pattern shows when its rule is asked.
 */
export function openInlineRules(definition: InlineDefinition, ports: RulePorts): InlineRules {
  const owner = ownerOf(definition);
  const rules = readInlineRules(definition);
  const prepared = rules.map((rule, index) => prepareRule(rule, index, ports));
  return { rules, decide: decisionBy(prepared, ports, owner) };
}

/** Decides by rules in memory. The index over them is built at the first event. */
function decisionBy(prepared: readonly PreparedRule[], ports: RulePorts, owner: string): DecideEvent {
  let index: RuleIndex | undefined;
  return indexedDecision(
    () => {
      index ??= buildIndex(prepared.map(ruleRequirements));
      return index;
    },
    (numbers) => numbers.flatMap((at) => prepared[at] ?? []),
    ports,
    owner,
  );
}

function compileWhole(prepared: PreparedRule, owner: string): void {
  try {
    predicateOf(prepared);
    for (const test of prepared.shellTests) if (test.operator === "runs") compileRuns(runsPattern(test));
    const { action } = prepared.rule;
    if (action.type === "modify") checkTemplates(action.value);
    else if (action.type !== "continue") compileTemplate(action.text);
  } catch (error) {
    if (!(error instanceof TenterhookError)) throw error;
    const { index, rule } = prepared;
    const line = rule.line === undefined ? "" : ` (line ${rule.line})`;
    throw new RuleError(
      error.code,
      `Rule ${index + 1}${line} of ${owner}: ${error.message}`,
      { rule: index, line: rule.line },
      { hint: error.hint, cause: error },
    );
  }
}

function checkTemplates(value: unknown): void {
  if (typeof value === "string") compileTemplate(value);
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(checkTemplates);
}

function ownerOf(definition: InlineDefinition): string {
  return JSON.stringify(definition.name);
}

/**
 * The rules of an inline hook, whichever way they are spelt; patterns are not looked at.
 *
 * @throws TenterhookError `bad_rule` for rules that can't be read.
 */
export function readInlineRules(definition: InlineDefinition): readonly Rule[] {
  const owner = ownerOf(definition);
  const { inline_rules: list, rules: text } = definition;
  if (text !== undefined && typeof text !== "string") {
    throw bad(
      owner,
      `"rules" must be a string of one-line rules, found ${shown(text)}; a list belongs in "inline_rules"`,
    );
  }
  const listed = list === undefined ? [] : readRules(list, owner);
  const written = text === undefined ? [] : parsedRules(text, owner);
  if (listed.length + written.length === 0) {
    throw new TenterhookError("bad_rule", "Inline hook requires 'inline_rules'", {
      hint: `Give ${owner} a list "inline_rules", or a string "rules" with one rule a line.`,
    });
  }
  return [...listed, ...written];
}

/**
 * What was parsed, by its text. A process that reads a configuration checks its rules, stores them and asks what they do,
 * each time from the text of a definition; that of self-protection is 41,000 characters long.
 */
const parsed = new Map<string, readonly Rule[]>();
const MOST_PARSED = 256;

function parsedRules(text: string, owner: string): readonly Rule[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const rules = parseRules({ text, name: `the rules of ${owner}` });
  if (parsed.size >= MOST_PARSED) parsed.clear();
  parsed.set(text, rules);
  return rules;
}
