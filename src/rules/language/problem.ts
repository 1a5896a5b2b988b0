import { TenterhookError } from "../../core/base/errors.ts";

/** A text of the one-line language and how messages name it: `the rules of "shell-policy"`. */
export interface LanguageSource {
  readonly text: string;
  readonly name: string;
}

/** Where something stands in a source, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const WIDEST = 160;

/** An error at one place, shown with its line and a caret under the column. */
export function languageError(source: LanguageSource, place: Place, problem: string): TenterhookError {
  const line = source.text.split(/\r?\n/)[place.line - 1] ?? "";
  const from = Math.max(0, place.column - 1 - WIDEST / 2);
  const shown = line.slice(from, from + WIDEST);
  const caret = " ".repeat(place.column - 1 - from);
  return new TenterhookError(
    "bad_rule",
    `In ${source.name}, line ${place.line}, column ${place.column}: ${problem}\n  ${shown}\n  ${caret}^`,
  );
}
