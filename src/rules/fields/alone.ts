import type { ShellCommand } from "../shell/analysis.ts";
import type { Field } from "./fields.ts";
import { callAnalysis } from "./run-field.ts";
import { shellFieldsOf, shellTextsOf } from "./shell-text.ts";
import { type RuleEvent, type Subject, subjectOf } from "./subject.ts";
import { withPath } from "./values.ts";

/** The event as it would be if the line were one of its commands, for each of them. */
export function commandsAlone(subject: Subject): readonly Subject[] {
  const { found } = subject;
  found.alone ??= (callAnalysis(subject)?.commands ?? []).map((command) => aloneIn(subject, command));
  return found.alone;
}

function aloneIn(subject: Subject, command: ShellCommand): Subject {
  let changed: unknown = subject.event;
  // Every field with shell text, so that a rule sees the command whichever of them it asks.
  for (const field of shellFieldsOf(subject.event)) changed = withPath(changed, field, command.text);
  const event: RuleEvent = typeof changed === "object" && changed !== null ? { ...changed } : subject.event;
  const { native } = event;
  const lines = new Set<unknown>(shellTextsOf(subject));
  const alone = native === undefined ? event : { ...event, native: replaced(native, lines, command.text, 0) };
  return subjectOf(alone, subject.ports, command);
}

const DEEPEST = 8;

/** A copy in which every text that is one of the lines is the command instead. */
function replaced(value: unknown, lines: ReadonlySet<unknown>, text: string, depth: number): unknown {
  if (lines.has(value)) return text;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, lines, text, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaced(item, lines, text, depth + 1)]),
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
