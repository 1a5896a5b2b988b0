import type { Field } from "./fields.ts";
import type { ShellCommand } from "./shell/analysis.ts";
import { analysisOf } from "./shell-analysis.ts";
import { shellFieldOf, shellTextOf } from "./shell-text.ts";
import { type RuleEvent, type Subject, subjectOf } from "./subject.ts";
import { withPath } from "./values.ts";

/** The event as it would be if the line were one of its commands, for each of them. */
export function commandsAlone(subject: Subject): readonly Subject[] {
  const { found } = subject;
  const text = shellTextOf(subject);
  if (text === undefined) return [];
  found.alone ??= analysisOf(subject, text).commands.map((command) => aloneIn(subject, text, command));
  return found.alone;
}

function aloneIn(subject: Subject, line: string, command: ShellCommand): Subject {
  const field = shellFieldOf(subject.event) ?? ["tool_input", "command"];
  const changed = withPath(subject.event, field, command.text);
  const event: RuleEvent = typeof changed === "object" && changed !== null ? { ...changed } : subject.event;
  const { native } = event;
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

/** A field as the whole event has it and as each command by itself has it: for the index only. */
export function withCommandsAlone(field: Field): Field {
  return {
    ...field,
    key: `${field.key}, also of each command`,
    identities: (subject, strict) =>
      [subject, ...commandsAlone(subject)].flatMap((each) => field.identities(each, strict)),
  };
}
