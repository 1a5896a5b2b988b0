import { commandsAlone } from "./alone.ts";
import { type PreparedRule, predicateOf } from "./prepared-rule.ts";
import { analysisOf } from "./shell-analysis.ts";
import { shellTextOf } from "./shell-text.ts";
import type { Subject } from "./subject.ts";

/** True when a rule takes effect on an event. Everything {@link missingParts} names must be loaded. */
export function ruleHolds(prepared: PreparedRule, subject: Subject): boolean {
  const holds = predicateOf(prepared);
  const strict = prepared.rule.action.type === "allow";
  if (holds(subject, strict)) {
    return !prepared.allowsShell || everyCommand(subject, (alone) => holds(alone, true));
  }
  return prepared.byItself && commandsAlone(subject).some((alone) => holds(alone, false));
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
    commandsAlone(subject).every((alone) => alone.only?.wrapper === true || fits(alone))
  );
}
