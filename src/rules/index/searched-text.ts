import { type Field, indexText } from "../fields/fields.ts";
import type { Subject } from "../fields/subject.ts";

/** All texts of a field in one, folded; found once for a subject that hooks share. */
export function searchedText(field: Field, subject: Subject): string {
  const { texts } = subject.found;
  const known = texts?.get(field.key);
  if (known !== undefined) return known;
  const text = fold(indexText(field, subject));
  texts?.set(field.key, text);
  return text;
}

/**
 * How texts are made ready for the index: lower case, plus the two letters that regular expressions take for an
 * ASCII one in another case. A required text is ASCII only, so what folding does to other letters can't matter.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes("\u017f") ? lower.replaceAll("\u017f", "s") : lower;
}
