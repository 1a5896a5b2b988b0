import { regularText } from "../../node/files/regular-file.ts";
import type { Place } from "../../rules/language/tokenize.ts";
import { type ParsedFile, positionOf, type ValuePath } from "./located.ts";

const MOST_BYTES = 10_000_000;

/** Where a place in the text of `rules` is in its file. `path` leads to the handler. */
export function placeInRules(parsed: ParsedFile, path: ValuePath, rules: unknown, place: Place): Place {
  return placeInText(parsed, [...path, "rules"], rules, place);
}

/** Where a character of a text is in its file, counted from 0. `path` leads to the text. */
export function placeOfCharacter(parsed: ParsedFile, path: ValuePath, text: string, at: number): Place {
  const before = text.slice(0, at).split("\n");
  return placeInText(parsed, path, text, {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  });
}

function placeInText(
  { file, located }: ParsedFile,
  path: ValuePath,
  rules: unknown,
  { line, column }: Place,
): Place {
  const start = positionOf(located, path);
  const lines = (regularText(file, MOST_BYTES) ?? "").split("\n");
  const isBlock = BLOCK.test((lines[start.line - 1] ?? "").slice(start.column - 1));
  if (typeof rules !== "string" || (!isBlock && !rules.trim().includes("\n"))) return start;
  const number = start.line + line - (isBlock ? 0 : 1);
  const inFile = lines[number - 1] ?? "";
  const from =
    column === 1 ? inFile.search(/\S/) : inFile.indexOf(rules.split("\n")[line - 1] ?? "") + column - 1;
  return { line: number, column: Math.max(0, from) + 1 };
}

/** A value whose text begins on the next line: a block of YAML or a long string of TOML. */
const BLOCK = /^(?:[|>][-+\d]*|'''|""")\s*(?:#.*)?$/;
