import { runsPattern, textReading } from "../conditions/compile.ts";
import type { Condition, TestCondition } from "../conditions/condition.ts";
import { compileField, type Field } from "../fields/fields.ts";
import type { RulePorts } from "../fields/judged-event.ts";
import { isOneShellText } from "../fields/shell-analysis.ts";
import { touchGlob } from "../fields/touch-field.ts";
import { globPattern } from "../operators/glob-pattern.ts";
import { operatorOf } from "../operators/operators.ts";
import { type Clause, requiredTexts } from "../operators/pattern.ts";
import { parseOptions } from "../shell/programs/options.ts";
import { programChoices, splitWords } from "../shell/runs.ts";
import { type FieldReading, readingField } from "./field-reading.ts";

/** A text that may have to occur in a field. */
export interface RequiredText {
  readonly field: Field;
  readonly reading: FieldReading;
  /** Folded, ASCII only. */
  readonly text: string;
}

/** A condition can only hold when at least one of these texts occurs in its field. */
export type Requirement = readonly RequiredText[];

export interface RequirementOptions {
  readonly ports: RulePorts;
  /**
   * The condition may also be asked of one command of the line by itself, whose text need not occur in the line as
   * written.
   */
  readonly commandByItself: boolean;
}

const MOST_TEXTS = 1_024;

/** Everything a condition requires. An empty list means that it has to be checked on every event. */
export function requirementsOf(condition: Condition, options: RequirementOptions): readonly Requirement[] {
  switch (condition.type) {
    case "test":
      return testRequirements(condition, options);
    case "all":
      return condition.conditions.flatMap((part) => requirementsOf(part, options));
    case "any": {
      const parts = condition.conditions.map((part) => bestRequirement(requirementsOf(part, options)));
      const union = parts.flatMap((part) => part ?? []);
      return parts.includes(undefined) || union.length > MOST_TEXTS ? [] : [union];
    }
    case "not":
      return [];
    default:
      return condition satisfies never;
  }
}

/** The requirement that fewest events meet, by the length of its shortest text. A program comes first, and says least. */
function bestRequirement(requirements: readonly Requirement[]): Requirement | undefined {
  let best: Requirement | undefined;
  let bestLength = 1;
  for (const requirement of requirements) {
    const length = Math.min(...requirement.map((required) => required.text.length));
    if (length >= bestLength) [best, bestLength] = [requirement, length];
  }
  return best;
}

function testRequirements(test: TestCondition, options: RequirementOptions): readonly Requirement[] {
  const operator = operatorOf(test.operator);
  if (operator.negated === true) return [];
  const field = compileField(test.field);
  // A command by itself stands in every field of shell text, so none of them alone can tell.
  if (options.commandByItself && (operator.kind === "text" ? field.shellText : isOneShellText(field)))
    return [];
  switch (operator.kind) {
    case "text":
      return textRequirements(test, options);
    case "runs":
      return runRequirements(test.field, runsPattern(test));
    case "touches": {
      const kind = operator.access === "connects" ? "text" : "path";
      const pattern = globPattern(touchGlob(String(test.value), operator.access, options.ports), kind);
      return required({ field: test.field, as: operator.access }, requiredTexts(pattern));
    }
    case "presence":
    case "number":
    case "dynamic":
      return [];
    default:
      return operator satisfies never;
  }
}

/** What a test of a text requires; nothing for a test of anything else. */
function textRequirements(test: TestCondition, { ports }: RequirementOptions): readonly Requirement[] {
  const operator = operatorOf(test.operator);
  if (operator.kind !== "text") return [];
  const field = compileField(test.field);
  const { path } = textReading(test, field);
  const pattern = operator.pattern(test.value ?? "", { fold: test.ignore_case === true, path, ports });
  return required({ field: test.field, as: path ? "path" : "itself" }, requiredTexts(pattern));
}

function required(reading: FieldReading, clauses: readonly Clause[]): readonly Requirement[] {
  const field = readingField(reading);
  return clauses.map((clause) => clause.map((text) => ({ field, reading, text })));
}

/** What a `runs` pattern requires: its program and arguments, a behaviour, or one of the targets of a behaviour. */
function runRequirements(field: string, pattern: string): readonly Requirement[] {
  const [program, ...rest] = splitWords(pattern) ?? [];
  if (program === undefined) return [];
  if (isBehaviour(program) && rest.length > 0) {
    const options = rest.map((target) => globPattern(target, "path"));
    return required({ field, as: program }, requiredTexts({ type: "choice", options }));
  }
  return required({ field, as: "runs" }, [program, ...argumentsOf(program, rest)].flatMap(wordTexts));
}

/**
 * The arguments of a pattern, whichever of its programs runs: how words are read as options depends on the program, so there are
 * none unless all are named plainly.
 */
function argumentsOf(program: string, words: readonly string[]): readonly string[] {
  const programs = programChoices(program) ?? [program];
  if (!programs.every((name) => /^[\w.+-]+$/.test(name))) return [];
  const [first = [], ...others] = programs.map((name) => parseOptions(name, words).args);
  return first.filter((word) => others.every((args) => args.includes(word)));
}

const MOST_REMEMBERED = 256;
const textsOfWords = new Map<string, readonly Clause[]>();

/** What a word of a `runs` pattern requires. Patterns name few words again and again. */
function wordTexts(word: string): readonly Clause[] {
  const known = textsOfWords.get(word);
  if (known !== undefined) return known;
  const clauses = requiredTexts(globPattern(word, "text"));
  if (textsOfWords.size >= MOST_REMEMBERED) textsOfWords.clear();
  textsOfWords.set(word, clauses);
  return clauses;
}

function isBehaviour(program: string): program is `@${string}` {
  return program.startsWith("@");
}
