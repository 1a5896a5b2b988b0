import { asPath, compileField, type Field } from "../fields/fields.ts";
import { type JudgedEvent, rememberedFor } from "../fields/judged-event.ts";
import { analysisOfField, commandsOf } from "../fields/shell-analysis.ts";
import { touchField } from "../fields/touch-field.ts";
import type { Access } from "../fields/touched.ts";
import type { ShellCommand } from "../shell/analysis.ts";
import { hasWildcard } from "../shell/words/text.ts";

/** A behaviour as patterns of `runs` name it. Its targets are read. */
type Behaving = `@${string}`;

/** Where a required text is looked for: a field and how it is read. Plain data, so that a cache can hold it. */
export interface FieldReading {
  /** As a test names it. */
  readonly field: string;
  readonly as: "itself" | "path" | "runs" | Access | Behaving;
}

const fields = new WeakMap<FieldReading, Field>();

export function readingField(reading: FieldReading): Field {
  const known = fields.get(reading);
  if (known !== undefined) return known;
  const field = readAs(compileField(reading.field), reading.as);
  fields.set(reading, field);
  return field;
}

function readAs(field: Field, as: FieldReading["as"]): Field {
  switch (as) {
    case "itself":
      return field;
    case "path":
      return asPath(field);
    case "runs":
      return commandField(field, as, commandWords);
    case "reads":
    case "writes":
    case "connects":
      return touchField(field, as);
    default:
      return targetField(field, as);
  }
}

/** A text about each command that a field's shell text runs, as a field. */
function commandField(
  field: Field,
  as: FieldReading["as"],
  textOf: (command: ShellCommand) => string,
): Field {
  return {
    key: `${as} of ${field.key}`,
    pathLike: false,
    shellText: true,
    value: (subject) => field.value(subject),
    open: (subject) => analysisOfField(field, subject)?.incomplete === true,
    identities: (subject) => commandsOf(field, subject).map((command) => [textOf(command)]),
  };
}

/** What a behaviour is directed at, as a field. A target may itself be a glob. */
function targetField(field: Field, as: Behaving): Field {
  const targetsOf = ({ behaviours }: ShellCommand): string =>
    behaviours.flatMap(({ kind, target }) => (as === `@${kind}` ? [target] : [])).join("\n");
  const targets = commandField(field, as, targetsOf);
  return {
    ...targets,
    open: (subject) => targets.open?.(subject) === true || hasWildcard(searchedText(targets, subject)),
  };
}

/** All words of a command that a `runs` pattern can ask for. */
function commandWords(command: ShellCommand): string {
  const behaviours = command.behaviours.map((behaviour) => `@${behaviour.kind}`);
  const values = command.options.map((option) => option.value);
  return [command.name ?? "", ...command.args, ...values, ...behaviours].join("\n");
}

const searched = rememberedFor<string>();

/** All texts of a field in one, folded. What it leaves out can't matter to any operator. */
export function searchedText(field: Field, subject: JudgedEvent): string {
  return searched(subject, field.key, () => fold(field.identities(subject, false).flat().join("\n")));
}

/**
 * How texts are made ready for the index: lower case, plus the two letters that operators without regard to case take
 * for an ASCII one. A required text is ASCII only, so what folding does to other letters can't matter.
 */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll("\u0131", "i").replaceAll("\u017f", "s");
}
