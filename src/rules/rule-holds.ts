import { type PreparedRule, predicateOf } from "./prepared-rule.ts";
import type { ShellCommand } from "./shell/analysis.ts";
import { analysisOf } from "./shell-analysis.ts";
import { shellFieldOf, shellTextOf } from "./shell-text.ts";
import { type RuleEvent, type Subject, subjectOf } from "./subject.ts";
import { withPath } from "./values.ts";

/** True when a rule takes effect on an event. Everything {@link missingParts} names must be loaded. */
export function ruleHolds(prepared: PreparedRule, subject: Subject): boolean {
  const holds = predicateOf(prepared);
  const strict = prepared.rule.action.type === "allow";
  if (holds(subject, strict)) {
    return !prepared.allowsShell || everyCommand(subject, (alone) => holds(alone, true));
  }
  return prepared.byItself && someCommand(subject, (alone) => holds(alone, false));
}

/**
 * True when every simple command of the event's shell text fits by itself and none is dynamic; also when the event
 * has no shell text. A wrapper such as `time` may pass when the command it starts fits.
 */
export function everyCommand(subject: Subject, fits: (alone: Subject) => boolean): boolean {
  const text = shellTextOf(subject);
  if (text === undefined) return true;
  const { commands, dynamic } = analysisOf(subject, text);
  if (dynamic || commands.some((command) => command.dynamic)) return false;
  return (
    commands.some((command) => !command.wrapper) &&
    commands.every((command) => command.wrapper || fits(aloneIn(subject, text, command)))
  );
}

function someCommand(subject: Subject, fits: (alone: Subject) => boolean): boolean {
  const text = shellTextOf(subject);
  if (text === undefined) return false;
  const { commands } = analysisOf(subject, text);
  return commands.some((command) => fits(aloneIn(subject, text, command)));
}

/** The event as it would be if the line were this one command. */
function aloneIn(subject: Subject, line: string, command: ShellCommand): Subject {
  const field = shellFieldOf(subject.event) ?? ["tool_input", "command"];
  const changed = withPath(subject.event, field, command.text);
  const event: RuleEvent = typeof changed === "object" && changed !== null ? { ...changed } : subject.event;
  const native = event.native;
  const alone = native === undefined ? event : { ...event, native: replaced(native, line, command.text, 0) };
  return subjectOf(alone, subject.ports, command);
}

const DEEPEST = 8;

/** A copy in which every text that is the line is the command instead. */
function replaced(value: unknown, line: string, text: string, depth: number): unknown {
  if (value === line) return text;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, line, text, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaced(item, line, text, depth + 1)]),
  );
}
