import { compileCondition } from "../conditions/compile.ts";
import { type Condition, hasNegation, type TestCondition } from "../conditions/condition.ts";
import { compileField } from "../fields/fields.ts";
import type { JudgedEvent, RulePorts } from "../fields/judged-event.ts";
import { analysisOfField, callAnalysis, commandsAlone } from "../fields/shell-analysis.ts";
import { type Access, touchedBy } from "../fields/touched.ts";
import { operatorOf } from "../operators/operators.ts";
import { type PreparedRule, predicateOf, stopsCalls } from "./prepared-rule.ts";

type Covers = (subject: JudgedEvent) => boolean;

/** Whether a rule takes effect on an event; `maybe` when that depends on what the analysis gave up on. */
export type RuleFit = "yes" | "maybe" | "no";

/**
 * Like {@link ruleHolds}, for a line that may be longer or deeper than the analysis goes. Whatever it did not look at may
 * be what a rule stops, and must not be what another lets pass because it found nothing.
 */
export function ruleFit(prepared: PreparedRule, subject: JudgedEvent): RuleFit {
  const { rule } = prepared;
  const holds = ruleHolds(prepared, subject);
  if (!gaveUp(prepared, subject)) return holds ? "yes" : "no";
  if (!stopsCalls(rule)) return holds && !hasNegation(rule.condition) ? "yes" : "no";
  if (holds) return "yes";
  return mayHold(prepared, subject) ? "maybe" : "no";
}

/** True when the analysis gave up on shell text that the rule asks about. */
export function gaveUp({ shellTests }: PreparedRule, subject: JudgedEvent): boolean {
  return shellTests.some(({ field }) => analysisOfField(compileField(field), subject)?.incomplete === true);
}

/** True when a rule would hold if the part that the analysis gave up on did what the rule is about. */
export function mayHold(prepared: PreparedRule, { event, ports }: JudgedEvent): boolean {
  return predicateOf(prepared)({ event, ports, unsure: prepared.byItself ? "text" : "does" }, false);
}

/** True when a rule takes effect on an event. Everything {@link missingParts} names must be loaded. */
export function ruleHolds(prepared: PreparedRule, subject: JudgedEvent): boolean {
  const holds = predicateOf(prepared);
  const strict = prepared.rule.action.type === "allow";
  if (holds(subject, strict)) {
    if (!prepared.allowsShell) return true;
    const covers = coverOf(prepared);
    return covers(subject) && everyCommand(subject, (alone) => holds(alone, true) && covers(alone));
  }
  return prepared.byItself && commandsAlone(subject).some((alone) => holds(alone, false));
}

/**
 * True when every simple command of the event's shell text fits by itself and none is dynamic; also when the event
 * has no shell text. A wrapper such as `time` may pass when the command it starts fits.
 */
export function everyCommand(subject: JudgedEvent, fits: (alone: JudgedEvent) => boolean): boolean {
  const analysis = callAnalysis(subject);
  if (analysis === undefined) return true;
  const { commands, dynamic } = analysis;
  if (dynamic || commands.some((command) => command.dynamic)) return false;
  return (
    commands.some((command) => !command.wrapper) &&
    commandsAlone(subject).every((alone) => alone.only?.wrapper === true || fits(alone))
  );
}

/** What else a call must not do, unless the rule that allows it has tested that too. */
const ALSO_TESTED: Readonly<Record<Access, readonly Access[]>> = {
  reads: ["writes", "connects"],
  connects: ["writes"],
  writes: [],
};
const HARMLESS = /^\/dev\/(?:null|stdout|stderr|tty)$/;

const covers = new WeakMap<PreparedRule, Covers>();

/** `call reads "/project/**" -> allow` is no permission for `cat a > /etc/passwd`, although it reads nothing else. */
function coverOf(prepared: PreparedRule): Covers {
  let known = covers.get(prepared);
  if (known === undefined) {
    const touches = prepared.shellTests.some((test) => accessOf(test) !== undefined);
    known = touches ? compileCover(prepared.rule.condition, prepared.ports, []) : () => true;
    covers.set(prepared, known);
  }
  return known;
}

/** Compiles that requirement; `others` are the tests that hold together with the condition. */
function compileCover(condition: Condition, ports: RulePorts, others: readonly TestCondition[]): Covers {
  const holds = compileCondition(condition, ports);
  switch (condition.type) {
    case "not":
      return (subject) => holds(subject, true);
    case "any": {
      const parts = condition.conditions.map((part) => compileCover(part, ports, others));
      return (subject) => parts.some((part) => part(subject));
    }
    case "all": {
      const tests = [...others, ...condition.conditions.flatMap(positiveTests)];
      const parts = condition.conditions.map((part) => compileCover(part, ports, tests));
      return (subject) => parts.every((part) => part(subject));
    }
    case "test": {
      const access = accessOf(condition);
      const untested = (access === undefined ? [] : ALSO_TESTED[access]).map((other) => {
        const tests = others.filter((test) => accessOf(test) === other);
        return { other, tests: tests.map((test) => compileCondition(test, ports)) };
      });
      return (subject) =>
        holds(subject, true) &&
        untested.every(
          ({ other, tests }) => !does(subject, other) || tests.some((fits) => fits(subject, true)),
        );
    }
    default:
      return condition satisfies never;
  }
}

function does(subject: JudgedEvent, access: Access): boolean {
  return touchedBy(subject, access, false).some((name) => !HARMLESS.test(name));
}

function positiveTests(condition: Condition): readonly TestCondition[] {
  if (condition.type === "test") return [condition];
  return condition.type === "not" ? [] : condition.conditions.flatMap(positiveTests);
}

function accessOf(test: TestCondition): Access | undefined {
  const operator = operatorOf(test.operator);
  return operator.kind === "touches" ? operator.access : undefined;
}
