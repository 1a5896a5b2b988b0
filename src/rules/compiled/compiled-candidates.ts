import { compileField } from "../fields/fields.ts";
import { missingForShell } from "../fields/shell-analysis.ts";
import { shellJoined, shellTextOf } from "../fields/shell-text.ts";
import type { Subject } from "../fields/subject.ts";
import { type FieldReading, readingField } from "../index/field-reading.ts";
import { searchedText } from "../index/searched-text.ts";
import { isPlainReading, type KeptIndex } from "./compiled-index.ts";

/**
 * The numbers of the kept rules that could hold for an event: no rule that holds is ever missing. A promise when the
 * shell analysis has to be loaded first; ask again when it is through.
 */
export function keptCandidates(
  { always, fields }: KeptIndex,
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
    for (const [at, text] of texts.entries()) {
      const rule = rules[at];
      if (rule !== undefined && (isOpen || within.includes(text))) found.add(rule);
    }
  }
  return found;
}

/** The loading of the shell analysis, when the texts of a reading are what shell text does. */
function missingFor(reading: FieldReading, subject: Subject): Promise<void> | undefined {
  if (isPlainReading(reading)) return undefined;
  const { field, alone } = reading;
  const texts = [
    ...(alone === true || field === "call" ? [shellTextOf(subject)] : []),
    ...(field === "call" ? [] : [shellJoined(compileField(field).value(subject))]),
  ];
  for (const text of texts) {
    const missing = text === undefined ? undefined : missingForShell(text);
    if (missing !== undefined) return missing;
  }
  return undefined;
}
