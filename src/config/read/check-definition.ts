import { resolve } from "node:path";
import { stringList } from "../../core/base/check-options.ts";
import { systemClock } from "../../core/base/clock.ts";
import { isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import { assumedRow } from "../../core/events/event-table.ts";
import type { Ports } from "../../core/ports.ts";
import { handlerTypeOf } from "../../core/registration/handler-types.ts";
import { compileMatcher } from "../../core/registration/matcher.ts";
import { checkLocks } from "../../core/registration/prepare-hook.ts";
import { nodePaths, nodeRulePorts } from "../../node/ports.ts";
import { linearRegex } from "../../node/regex.ts";
import { compileCommandPatterns } from "../../rules/compiled/command-patterns.ts";
import { compileWhen } from "../../rules/compiled/when.ts";
import type { Place } from "../../rules/language/tokenize.ts";
import { actionRow, type Rule } from "../../rules/rule.ts";
import { compileInlineRules } from "../../rules/rules.ts";
import { compileTemplate } from "../../rules/template.ts";
import type { Findings } from "../find/find-files.ts";
import { ABSENT } from "../inputs/inputs.ts";
import { hookLabel, problemAt } from "../parse/issues.ts";
import { type ParsedFile, positionOf, type ValuePath } from "../parse/located.ts";
import { placeInRules, placeOfCharacter } from "../parse/rules-place.ts";
import { unknownFields } from "../parse/unknown-fields.ts";
import { MOST_LOOKS, RULE_ITEM, RULE_LINE, withoutRule } from "../parse/without-rule.ts";
import { type Definition, handlersOf, type WrittenHandler } from "../schema/definition.ts";

const UNASKED = { test: () => true };
const PORTS: Ports = {
  clock: systemClock,
  newId: () => "",
  paths: nodePaths,
  regex: linearRegex,
  conditions: { when: () => UNASKED, commandPatterns: () => UNASKED },
};

const MOST_QUESTIONS = 1_000_000;

/** The place in a prompt that a message is about. */
const TEMPLATE_CHARACTER = /^In the template at character (\d+)/;

/** Seconds from which on a round number is rather one of milliseconds. */
const MILLISECONDS = { least: 1000, round: 500 };

/** A function, since the first number that is written for a language takes as long as half a start of Node. */
export function tooManyExamples(): string {
  return `there are too many rules and examples to check: every example is tried on every rule, at most ${MOST_QUESTIONS.toLocaleString("en")} times in all files. Remove some.`;
}

/** Limits the time that checking examples takes: every example is tried on every rule of its hook. */
export class ExampleBudget {
  private left = MOST_QUESTIONS;

  /** True while the examples of this definition can be checked too. */
  affords(definition: WrittenHandler): boolean {
    for (const [{ inline_rules: list, rules: lines, examples }] of handlersOf(definition)) {
      const rules = lengthOf(list) + (typeof lines === "string" ? lines.split("\n").length : 0);
      this.left -= rules * lengthOf(examples);
    }
    return this.left >= 0;
  }
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** Checks what only compiling shows: patterns, conditions, rules and their examples. Warns of missing files. */
export async function checkDefinition(
  definition: Definition,
  path: ValuePath,
  parsed: ParsedFile,
  root: string,
  findings: Findings,
): Promise<void> {
  const label = hookLabel(parsed, path);
  const attempt = async (at: ValuePath, check: () => unknown, text?: unknown): Promise<void> => {
    try {
      await check();
    } catch (error) {
      if (!isTenterhookError(error)) throw error;
      const message = error.message.startsWith(label) ? error.message : `${label}: ${error.message}`;
      const problem = problemAt(parsed, rulePlace(at, error.message), message);
      findings.problems.push({ ...problem, ...placeInText(at, error.message, text) });
    }
  };
  const placeInText = (at: ValuePath, message: string, text: unknown): Place | undefined => {
    const [, line, column = 1] = RULE_LINE.exec(message) ?? [];
    if (line !== undefined)
      return placeInRules(parsed, at, text, { line: Number(line), column: Number(column) });
    const character = Number(TEMPLATE_CHARACTER.exec(message)?.[1]);
    if (typeof text !== "string" || Number.isNaN(character)) return undefined;
    return placeOfCharacter(parsed, at, text, character - 1);
  };
  // One that only shows what it would do can say anything.
  const isLate = definition.async === true && definition.mode !== "shadow";
  /** Each rule that can't work is left out for the next look, so that one of them hides no other. */
  const checkRules = async (part: WrittenHandler, at: ValuePath): Promise<void> => {
    let rest = part;
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const found = findings.problems.length;
      let failed = "";
      await attempt(
        at,
        async () => {
          try {
            const { rules } = await compileInlineRules({ ...rest, name: definition.name }, nodeRulePorts);
            if (isLate) checkLate(rules, definition.name);
          } catch (error) {
            if (isTenterhookError(error)) failed = error.message;
            throw error;
          }
        },
        part.rules,
      );
      const next = findings.problems.length > found ? withoutRule(rest, failed) : undefined;
      if (next === undefined) return;
      rest = next;
    }
  };
  const { events, ...fields } = definition.matcher;
  for (const event of typeof events === "string" ? [events] : events) {
    if (!event.startsWith("custom:")) continue;
    const message = `${label} is for ${event}: it only runs in programs that declare this event.`;
    const position = positionOf(parsed.located, [...path, "matcher", "events"]);
    findings.warnings.push({ file: parsed.file, ...position, message });
  }
  const long = timeoutWarning(definition.timeout);
  if (long !== undefined) {
    const position = positionOf(parsed.located, [...path, "timeout"]);
    findings.warnings.push({ file: parsed.file, ...position, message: `${label}: ${long}` });
  }
  await attempt([...path, "locks"], () =>
    checkLocks(label, typeof events === "string" ? [events] : events, definition),
  );
  const { when, command_patterns: patterns } = fields;
  const matcherPath = [...path, "matcher"];
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    // Each item by itself, so that each problem has a place of its own.
    for (const [item, at] of itemsOf(value, [...matcherPath, key]))
      await attempt(at, () => compileMatcher({ [key]: item }, label, PORTS, assumedRow));
  }
  if (when !== undefined)
    await attempt([...matcherPath, "when"], () => compileWhen(when, nodeRulePorts).load());
  for (const [pattern, at] of itemsOf(patterns ?? [], [...matcherPath, "command_patterns"]))
    await attempt(at, () =>
      compileCommandPatterns(stringList(pattern, "command_patterns"), nodeRulePorts).load(),
    );
  for (const [part, at] of handlersOf(definition, path)) {
    if (part.type === "inline") await checkRules(part, at);
    const { prompt, effects } = part;
    const type = handlerTypeOf(part);
    if ((type === "llm" || type === "agent") && typeof prompt === "string") {
      await attempt([...at, "prompt"], () => compileTemplate(prompt), prompt);
    }
    const late = Array.isArray(effects) ? effects.find((effect) => effect !== "context") : undefined;
    if (isLate && late !== undefined)
      findings.problems.push(
        problemAt(parsed, [...at, "effects"], `${label}: its effects have ${late}, ${NEVER_DECIDES}`),
      );
    for (const key of ["script", "module"]) {
      const file = part[key];
      if (typeof file !== "string") continue;
      if (findings.inputs.see("presence", resolve(root, file)).value !== ABSENT) continue;
      const message = `${label}: there is no file ${resolve(root, file)}, so the hook will fail (missing).`;
      findings.warnings.push({ file: parsed.file, ...positionOf(parsed.located, [...at, key]), message });
    }
  }
  const what = { definition, path, parsed, root };
  findings.problems.push(...unknownFields(what));
  await findings.inspect?.(what);
}

const NEVER_DECIDES = "but a hook with async: true never decides; it can only add context.";

/** @throws TenterhookError for the first rule that comes too late for what it does. */
function checkLate(rules: readonly Rule[], name: string): void {
  for (const [index, { action, line, shadow }] of rules.entries()) {
    const { effect } = actionRow(action.type);
    if (shadow === true || effect === undefined || effect === "context") continue;
    const where = `Rule ${index + 1}${line === undefined ? "" : ` (line ${line})`} of ${JSON.stringify(name)}`;
    throw new TenterhookError("effect_not_allowed", `${where}: it says ${action.type}, ${NEVER_DECIDES}`);
  }
}

/** What a timeout that is probably one of milliseconds would be; `undefined` for a usual one. */
export function timeoutWarning(timeout: number | undefined): string | undefined {
  if (timeout === undefined || timeout < MILLISECONDS.least || timeout % MILLISECONDS.round !== 0)
    return undefined;
  const minutes = Math.round(timeout / 60);
  const length = minutes >= 120 ? `${Math.round(minutes / 60)} hours` : `${minutes} minutes`;
  return `timeout is in seconds: ${timeout} are ${length}. If ${timeout} milliseconds are meant, write ${timeout / 1000}.`;
}

/** The items of a list, or the value itself, each with its place. */
function itemsOf(value: unknown, path: ValuePath): readonly (readonly [item: unknown, at: ValuePath])[] {
  return Array.isArray(value)
    ? value.map((item: unknown, index) => [[item], [...path, index]] as const)
    : [[value, path]];
}

/** The path of the rule that a message names. */
function rulePlace(path: ValuePath, message: string): ValuePath {
  const number = RULE_ITEM.exec(message)?.[1];
  return number === undefined ? path : [...path, "inline_rules", Number(number) - 1];
}
