import type { RuleValue } from "../rule.ts";
import { type Cursor, expected, expectMark, peek, skip, wordOf } from "./cursor.ts";

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** True when a value starts at this place. */
export function valueStarts(cursor: Cursor): boolean {
  const token = peek(cursor);
  if (token === undefined) return false;
  if (token.kind === "mark") return token.shown === "[" || token.shown === "{";
  return token.kind !== "word" || WORDS.has(token.shown);
}

const DEEPEST = 100;

/** Reads a value: a text, a number, `true`, `false`, `null`, a list or an object. */
export function parseValue(cursor: Cursor, what = "a value", depth = 0): RuleValue {
  if (depth > DEEPEST) throw expected(cursor, `a value with at most ${DEEPEST} brackets around it`);
  const token = peek(cursor);
  if (token?.kind === "text" || token?.kind === "regex" || token?.kind === "number") {
    cursor.at += 1;
    return token.value;
  }
  if (skip(cursor, "[")) return parseList(cursor, depth + 1);
  if (skip(cursor, "{")) return parseObject(cursor, depth + 1);
  const constant = WORDS.get(wordOf(token) ?? "");
  if (constant === undefined) throw expected(cursor, what, unquoted(wordOf(token)));
  cursor.at += 1;
  return constant;
}

function unquoted(word: string | undefined): string {
  return word === undefined ? "" : ` Put a string in quotes: ${JSON.stringify(word)}.`;
}

function parseList(cursor: Cursor, depth: number): RuleValue {
  const items: RuleValue[] = [];
  while (!skip(cursor, "]")) {
    if (items.length > 0) expectMark(cursor, ",", 'or "]" in the list');
    items.push(parseValue(cursor, 'a value or "]"', depth));
  }
  return items;
}

function parseObject(cursor: Cursor, depth: number): RuleValue {
  const entries: [string, RuleValue][] = [];
  while (!skip(cursor, "}")) {
    if (entries.length > 0) expectMark(cursor, ",", 'or "}" in the object');
    const key = peek(cursor);
    if (key?.kind !== "text") throw expected(cursor, 'a key in quotes or "}"');
    cursor.at += 1;
    expectMark(cursor, ":", "after the key");
    entries.push([key.value, parseValue(cursor, "a value", depth)]);
  }
  return Object.fromEntries(entries);
}
