import { resolve } from "node:path";
import { stringList } from "../../core/base/check-options.ts";
import { systemClock } from "../../core/base/clock.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
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
import { RuleError, type RulePlace } from "../../rules/rule-error.ts";
import { compileInlineRules } from "../../rules/rules.ts";
import { compileTemplate } from "../../rules/template.ts";
import type { Findings } from "../find/find-files.ts";
import { ABSENT } from "../inputs/inputs.ts";
import { hookLabel, problemAt } from "../parse/issues.ts";
import { type ParsedFile, positionOf, type ValuePath } from "../parse/located.ts";
import { placeInRules, placeOfCharacter } from "../parse/rules-place.ts";
import { unknownFields } from "../parse/unknown-fields.ts";
import { MOST_LOOKS, withoutRule } from "../parse/without-rule.ts";
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
  /** @returns what it failed with. `placeOf` says where in the file a part of the rules or of the template is. */
  const attempt = async (
    at: ValuePath,
    check: () => unknown,
    placeOf?: (place: RulePlace) => Place,
  ): Promise<unknown> => {
    try {
      await check();
      return undefined;
    } catch (error) {
      if (!isTenterhookError(error)) throw error;
      const message = error.message.startsWith(label) ? error.message : `${label}: ${error.message}`;
      const place = error instanceof RuleError ? placeOf?.(error.place) : undefined;
      findings.problems.push({ ...problemAt(parsed, at, message), ...place });
      return error;
    }
  };
  // One that only shows what it would do can say anything.
  const isLate = definition.async === true && definition.mode !== "shadow";
  /** Each rule that can't work is left out for the next look, so that one of them hides no other. */
  const checkRules = async (part: WrittenHandler, at: ValuePath): Promise<void> => {
    const placeOf = ({ rule, line, column = 1 }: RulePlace): Place =>
      line === undefined
        ? positionOf(parsed.located, rule === undefined ? at : [...at, "inline_rules", rule])
        : placeInRules(parsed, at, part.rules, { line, column });
    let rest = part;
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const check = async (): Promise<void> => {
        const { rules } = await compileInlineRules({ ...rest, name: definition.name }, nodeRulePorts);
        if (isLate) checkLate(rules, definition.name);
      };
      const failed = await attempt(at, check, placeOf);
      const next = failed instanceof RuleError ? withoutRule(rest, failed.place) : undefined;
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
      const promptPath = [...at, "prompt"];
      const placeOf = ({ character = 0 }: RulePlace) =>
        placeOfCharacter(parsed, promptPath, prompt, character);
      await attempt(promptPath, () => compileTemplate(prompt), placeOf);
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

/** @throws RuleError for the first rule that comes too late for what it does. */
function checkLate(rules: readonly Rule[], name: string): void {
  for (const [index, { action, line, shadow }] of rules.entries()) {
    const { effect } = actionRow(action.type);
    if (shadow === true || effect === undefined || effect === "context") continue;
    const where = `Rule ${index + 1}${line === undefined ? "" : ` (line ${line})`} of ${JSON.stringify(name)}`;
    const message = `${where}: it says ${action.type}, ${NEVER_DECIDES}`;
    throw new RuleError("effect_not_allowed", message, { rule: index, line });
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
