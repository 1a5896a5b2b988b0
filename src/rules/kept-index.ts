import { asPath, compileField } from "./fields.ts";
import { searchedText } from "./index/field-index.ts";
import type { FieldReading } from "./index/field-reading.ts";
import type { Subject } from "./subject.ts";

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
 * False when it is certain that no rule holds, found with nothing but the texts of the event; true where more would have
 * to be known.
 */
export function mayHold({ always, fields }: KeptIndex, subject: Subject): boolean {
  if (always.length > 0) return true;
  return fields.some(({ reading, texts }) => {
    if (!isPlainReading(reading)) return true;
    const field = compileField(reading.field);
    const within = searchedText(reading.as === "path" ? asPath(field) : field, subject);
    return within !== "" && texts.some((text) => within.includes(text));
  });
}
