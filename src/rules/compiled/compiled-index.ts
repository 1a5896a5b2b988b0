import { asPath, compileField } from "../fields/fields.ts";
import type { Subject } from "../fields/subject.ts";
import type { FieldReading } from "../index/field-reading.ts";
import { searchedText } from "../index/searched-text.ts";

/** Which rules of a hook can hold for an event, as plain data: an index that needs no building. */
export interface KeptIndex {
  /** Rules that require nothing, by their numbers. */
  readonly always: readonly number[];
  /** The other rules, each below the texts of which one must occur: `texts[n]` is one of the rule `rules[n]`. */
  readonly fields: readonly {
    readonly reading: FieldReading;
    readonly texts: readonly string[];
    readonly rules: readonly number[];
  }[];
}

/** True for texts that are found in the event as it is, without asking what shell text does. */
export function isPlainReading({ as, alone }: FieldReading): boolean {
  return (as === "itself" || as === "path") && alone !== true;
}

/**
 * Whether a rule can hold, found with nothing but the texts of the event: `no` and `yes` are certain, where `no` means that
 * none holds and `yes` that one has to be asked; `unsure` means that it depends on what shell text does.
 */
export function mayHold({ always, fields }: KeptIndex, subject: Subject): "no" | "unsure" | "yes" {
  if (always.length > 0) return "yes";
  const plain = fields.filter(({ reading }) => isPlainReading(reading));
  const occurs = plain.some(({ reading, texts }) => {
    const field = compileField(reading.field);
    const within = searchedText(reading.as === "path" ? asPath(field) : field, subject);
    return within !== "" && texts.some((text) => within.includes(text));
  });
  if (occurs) return "yes";
  return plain.length < fields.length ? "unsure" : "no";
}
