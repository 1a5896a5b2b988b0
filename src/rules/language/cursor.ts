import type { TenterhookError } from "../../core/base/errors.ts";
import { type LanguageSource, languageError, type Place, type Token } from "./tokenize.ts";

/** A place in the tokens of one rule. */
export interface Cursor {
  readonly source: LanguageSource;
  readonly tokens: readonly Token[];
  at: number;
}

/** The token here, or `undefined` when the rule is over. */
export function peek(cursor: Cursor): Token | undefined {
  return cursor.tokens[cursor.at];
}

/** The word of a token, when it is one of a single name. */
export function wordOf(token: Token | undefined): string | undefined {
  const [name] = token?.kind === "word" && token.path.length === 1 ? token.path : [];
  return typeof name === "string" ? name : undefined;
}

/** Moves past this word or mark, if it is next. */
export function skip(cursor: Cursor, shown: string): boolean {
  const token = peek(cursor);
  const there = (token?.kind === "mark" || token?.kind === "word") && token.shown === shown;
  if (there) cursor.at += 1;
  return there;
}

/** Moves past this mark, or says that it was expected. */
export function expectMark(cursor: Cursor, mark: string, after: string): void {
  if (!skip(cursor, mark)) throw expected(cursor, `${JSON.stringify(mark)} ${after}`);
}

/** The error that something else was found than `what`; `help` follows the sentence. */
export function expected(cursor: Cursor, what: string, help = "", token = peek(cursor)): TenterhookError {
  const found = token === undefined ? "the end of the rule" : token.shown.slice(0, 60);
  return languageError(cursor.source, token ?? end(cursor), `expected ${what}, found ${found}.${help}`);
}

/** Where the rule ends: just after its last token. */
function end(cursor: Cursor): Place {
  const last = cursor.tokens.at(-1);
  return { line: last?.line ?? 1, column: last === undefined ? 1 : last.column + last.shown.length };
}
