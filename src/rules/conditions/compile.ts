import { foldCase } from "../../core/base/text.ts";
import { asPath, compileField, type Field } from "../fields/fields.ts";
import type { JudgedEvent, RulePorts } from "../fields/judged-event.ts";
import { analysisOfField, commandsOf, compileRuns, isNamedProgram } from "../fields/shell-analysis.ts";
import { compileMayTouch, compileTouch, type TouchField, touchField } from "../fields/touch-field.ts";
import type { Access } from "../fields/touched.ts";
import { type Operator, operatorOf } from "../operators/operators.ts";
import type { ShellCommand } from "../shell/analysis.ts";
import type { Condition, TestCondition } from "./condition.ts";

/**
 * A compiled condition. `strict` is for rules that allow: when a field has several values, all of them must fit instead of
 * one, and what is uncertain does not count. Under a `not` it is the other way round.
 */
export type Predicate = (subject: JudgedEvent, strict: boolean) => boolean;

type Test<K extends Operator["kind"]> = Extract<Operator, { readonly kind: K }>;

/**
 * Compiles a condition. The regular expression engine must be loaded if it has a `matches`, and the shell parser by
 * the time the predicate is asked about a line that needs it.
 *
 * @throws TenterhookError `bad_pattern` for a glob or regular expression that can't be compiled.
 */
export function compileCondition(condition: Condition, ports: RulePorts): Predicate {
  switch (condition.type) {
    case "test":
      return compileTest(condition, ports);
    case "not": {
      const holds = compileCondition(condition.condition, ports);
      return (subject, strict) => !holds(subject, !strict);
    }
    case "all": {
      const parts = condition.conditions.map((part) => compileCondition(part, ports));
      return (subject, strict) => parts.every((holds) => holds(subject, strict));
    }
    case "any": {
      const parts = condition.conditions.map((part) => compileCondition(part, ports));
      return (subject, strict) => parts.some((holds) => holds(subject, strict));
    }
    default:
      return condition satisfies never;
  }
}

function compileTest(test: TestCondition, ports: RulePorts): Predicate {
  const operator = operatorOf(test.operator);
  const known = compileKnown(test, operator, ports);
  const holds: Predicate = operator.negated === true ? (subject, strict) => !known(subject, !strict) : known;
  if (!looksAtShellText(test)) return holds;
  const field = compileField(test.field);
  const isUnsure = (subject: JudgedEvent): boolean =>
    subject.unsure === "text" ||
    (subject.unsure === "does" &&
      operator.needs === "shell" &&
      analysisOfField(field, subject)?.incomplete === true);
  return (subject, strict) => (isUnsure(subject) ? !strict : holds(subject, strict));
}

/** True for a test that sees the shell text of a call, by whatever operator. */
export function looksAtShellText(test: TestCondition): boolean {
  return operatorOf(test.operator).needs === "shell" || compileField(test.field).shellText;
}

function compileKnown(test: TestCondition, operator: Operator, ports: RulePorts): Predicate {
  const field = compileField(test.field);
  switch (operator.kind) {
    case "text":
      return compileTextTest(test, field, operator, ports);
    case "presence":
      return (subject) => ((field.value(subject) ?? undefined) !== undefined) === (test.value ?? true);
    case "number":
      return (subject) => {
        const found = numberOf(field.value(subject));
        return found !== undefined && operator.holds(found, Number(test.value));
      };
    case "runs": {
      const fold = test.ignore_case === true;
      const fits = runsTest(runsPattern(test));
      return (subject, strict) => {
        return commandsOf(field, subject).some(
          (command) => (!strict || isNamedProgram(command)) && fits(fold ? folded(command) : command),
        );
      };
    }
    case "touches":
      return compileTouchTest(test, touchField(field, operator.access), operator.access, ports);
    case "dynamic":
      return (subject) => analysisOfField(field, subject)?.dynamic ?? false;
    default:
      return operator satisfies never;
  }
}

/** A rule may have dozens of patterns, of which most name other programs: a pattern is compiled when its program runs. */
function runsTest(pattern: string): (command: ShellCommand) => boolean {
  const [, one, several] = /^(?:([\w.+-]+)|\{([\w.+,-]+)\})(?: |$)/.exec(pattern) ?? [];
  const programs = one === undefined ? several?.split(",") : [one];
  let runs: ReturnType<typeof compileRuns> | undefined;
  return (command) => {
    if (programs !== undefined && !programs.includes(command.name ?? "")) return false;
    runs ??= compileRuns(pattern);
    return runs(command);
  };
}

function compileTextTest(
  test: TestCondition,
  field: Field,
  operator: Test<"text">,
  ports: RulePorts,
): Predicate {
  const { read, path } = textReading(test, field);
  const fits = operator.compile(test.value ?? "", { fold: test.ignore_case === true, path, ports });
  const all = fieldPredicate(read, fits);
  // A list contains what one of its items contains, also for a rule that allows; files have to fit all.
  return test.operator === "contains" && field.key !== "path" ? (subject) => all(subject, false) : all;
}

/** How a text operator reads a field: a glob on a field that holds paths reads it as a path. */
export function textReading(
  test: TestCondition,
  field: Field,
): { readonly read: Field; readonly path: boolean } {
  const path = field.pathLike && test.operator === "glob";
  return { read: path ? asPath(field) : field, path };
}

/** The pattern of a test with `runs`, folded as the commands are when case is ignored. */
export function runsPattern({ value, ignore_case }: TestCondition): string {
  return ignore_case === true ? foldCase(String(value)) : String(value);
}

function compileTouchTest(
  test: TestCondition,
  field: TouchField,
  access: Access,
  ports: RulePorts,
): Predicate {
  const pattern = String(test.value);
  const fold = test.ignore_case === true;
  const holds = fieldPredicate(field, compileTouch(pattern, access, ports, fold));
  // Most calls have no wildcards.
  let mayFit: ReturnType<typeof compileMayTouch> | undefined;
  const mayTouch = (path: string, subject: JudgedEvent): boolean => {
    mayFit ??= compileMayTouch(pattern, ports, fold);
    return mayFit(path, subject);
  };
  return (subject, strict) =>
    holds(subject, strict) || (!strict && field.wildcards(subject).some((path) => mayTouch(path, subject)));
}

function fieldPredicate(field: Field, fits: (text: string) => boolean): Predicate {
  return (subject, strict) => {
    const identities = field.identities(subject, strict);
    if (!strict) return identities.some((spellings) => spellings.some(fits));
    return identities.length > 0 && identities.every((spellings) => spellings.some(fits));
  };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
}

/** A command with everything `runs` looks at folded. */
function folded(command: ShellCommand): ShellCommand {
  const { name, flags, options, args, behaviours } = command;
  return {
    ...command,
    name: name === undefined ? undefined : foldCase(name),
    flags: flags.map(foldCase),
    options: options.map(({ flag, value }) => ({ flag: foldCase(flag), value: foldCase(value) })),
    args: args.map(foldCase),
    behaviours: behaviours.map(({ kind, target }) => ({ kind, target: foldCase(target) })),
  };
}
