import { compileField } from "../fields/fields.ts";
import { missingForShell } from "../fields/shell-analysis.ts";
import { shellJoined, shellTextOf } from "../fields/shell-text.ts";
import type { Subject } from "../fields/subject.ts";
import { type FieldReading, readingField, searchedText } from "../index/field-reading.ts";

/** Which rules of a hook can hold for an event, as plain data: an index that a cache can hold. */
export interface CompiledIndex {
  /** Rules that require nothing, by their numbers. */
  readonly always: readonly number[];
  /** The other rules, each under the texts of which one must occur: `texts[n]` belongs to the rule `rules[n]`. */
  readonly fields: readonly {
    readonly reading: FieldReading;
    readonly texts: readonly string[];
    readonly rules: readonly number[];
  }[];
}

/** True for texts that are found in the event itself, without asking what shell text does. */
function isPlainReading({ as, alone }: FieldReading): boolean {
  return (as === "itself" || as === "path") && alone !== true;
}

/**
 * Whether some rule can hold, judged by the texts of the event alone. `no`: none holds. `yes`: one has to be asked.
 * `unsure`: it depends on what shell text does, which {@link candidateRules} finds out.
 */
export function mayHold({ always, fields }: CompiledIndex, subject: Subject): "no" | "unsure" | "yes" {
  if (always.length > 0) return "yes";
  const plain = fields.filter(({ reading }) => isPlainReading(reading));
  const occurs = plain.some(({ reading, texts }) => {
    const within = searchedText(readingField(reading), subject);
    return within !== "" && texts.some((text) => within.includes(text));
  });
  if (occurs) return "yes";
  return plain.length < fields.length ? "unsure" : "no";
}

/**
 * The numbers of the rules that can hold for an event; no rule that holds is ever missing. A promise when the shell
 * analysis has to be loaded first: ask again once it has resolved.
 */
export function candidateRules(
  { always, fields }: CompiledIndex,
  subject: Subject,
): ReadonlySet<number> | Promise<void> {
  for (const { reading } of fields) {
    const missing = missingFor(reading, subject);
    if (missing !== undefined) return missing;
  }
  const found = new Set(always);
  for (const { reading, texts, rules } of fields) {
    const field = readingField(reading);
    const isOpen = field.open?.(subject) === true;
    const within = isOpen ? "" : searchedText(field, subject);
    if (!isOpen && within === "") continue;
    for (const [at, text] of texts.entries()) {
      const rule = rules[at];
      if (rule !== undefined && (isOpen || within.includes(text))) found.add(rule);
    }
  }
  return found;
}

/** The loading of the shell analysis, when a reading depends on it. */
function missingFor(reading: FieldReading, subject: Subject): Promise<void> | undefined {
  if (isPlainReading(reading)) return undefined;
  const { field, alone } = reading;
  return missingForShell([
    ...(alone === true || field === "call" ? [shellTextOf(subject)] : []),
    ...(field === "call" ? [] : [shellJoined(compileField(field).value(subject))]),
  ]);
}
