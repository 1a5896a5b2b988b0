import { type FieldPath, scanFieldPath } from "../fields/field-path.ts";
import { RuleError } from "../rule-error.ts";

/** A text of the one-line language and how messages name it: `the rules of "shell-policy"`. */
export interface LanguageSource {
  readonly text: string;
  readonly name: string;
}

/** A position in a source, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const WIDEST = 160;

/** An error at one place, shown with its line and a caret under the column. */
export function languageError(source: LanguageSource, place: Place, problem: string): RuleError {
  const line = source.text.split(/\r?\n/)[place.line - 1] ?? "";
  const from = Math.max(0, place.column - 1 - WIDEST / 2);
  const shown = line.slice(from, from + WIDEST);
  const caret = " ".repeat(place.column - 1 - from);
  return new RuleError(
    "bad_rule",
    `In ${source.name}, line ${place.line}, column ${place.column}: ${problem}\n  ${shown}\n  ${caret}^`,
    place,
  );
}

type TokenKind =
  | { readonly kind: "word"; readonly path: FieldPath }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "regex"; readonly value: string; readonly ignoreCase: boolean }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "mark" };

/** A piece of a one-line rule. `shown` is the text as written, for messages. */
export type Token = Place & TokenKind & { readonly shown: string; readonly startsRule: boolean };

type Scanned = { readonly end: number } & (
  | TokenKind
  | { readonly kind: "problem"; readonly problem: string }
);

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const MARK = /->|[<>]=?|[()[\]{},:]/y;
const BLANK = /[ \t]*/y;

/** What other languages write, the longest first, and what we do. */
const OURS: Readonly<Record<string, string>> = {
  "===": "equals",
  "!==": "not_equals",
  "==": "equals",
  "=>": "->",
  "=~": "matches",
  "!=": "not_equals",
  "&&": "and",
  "||": "or",
  "→": "->",
  "!": "not",
  "=": "equals",
  "&": "and",
  "|": "or",
};

/**
 * Cuts a source into tokens. A token that starts a rule says so: the first of a line that is no further right
 * than the first rule does.
 *
 * @throws TenterhookError `bad_rule` for an unclosed text or a character no rule has.
 */
export function tokenize(source: LanguageSource): readonly Token[] {
  const tokens: Token[] = [];
  const lines = source.text.split(/\r?\n/);
  let margin = Number.POSITIVE_INFINITY;
  for (const [index, line] of lines.entries()) {
    let at = skipBlank(line, 0);
    const indent = at;
    let first = true;
    while (at < line.length && line[at] !== "#") {
      if (margin === Number.POSITIVE_INFINITY) margin = indent;
      const place = { line: index + 1, column: at + 1 };
      const scanned = scan(line, at);
      if (scanned.kind === "problem") throw languageError(source, place, scanned.problem);
      const { end } = scanned;
      const startsRule = first && indent <= margin;
      // The spread comes last, and takes `end` along, for speed: the rules of self-protection are cut in 4 ms instead of 20.
      tokens.push({
        line: place.line,
        column: place.column,
        shown: line.slice(at, end),
        startsRule,
        ...scanned,
      });
      first = false;
      at = skipBlank(line, end);
    }
  }
  return tokens;
}

function skipBlank(line: string, at: number): number {
  BLANK.lastIndex = at;
  BLANK.exec(line);
  return BLANK.lastIndex;
}

function scan(line: string, at: number): Scanned {
  const char = line[at];
  if (char === '"') return jsonText(line, at);
  if (char === "'") return plainText(line, at);
  if (char === "/") return regex(line, at);
  const number = match(NUMBER, line, at);
  if (number !== undefined) return { kind: "number", value: Number(number), end: at + number.length };
  const mark = match(MARK, line, at);
  if (mark !== undefined) return { kind: "mark", end: at + mark.length };
  const word = scanFieldPath(line, at);
  if (word !== undefined) return { kind: "word", ...word };
  const foreign = Object.keys(OURS).find((sign) => line.startsWith(sign, at));
  if (foreign !== undefined) return problem(`rules do not know ${foreign}. Write ${OURS[foreign]} instead.`);
  return problem(`unexpected ${JSON.stringify(String.fromCodePoint(line.codePointAt(at) ?? 0))}.`);
}

function jsonText(line: string, at: number): Scanned {
  const end = closing(line, at, '"');
  if (end === undefined) return problem('this text is not closed; expected another ".');
  try {
    return { kind: "text", value: String(JSON.parse(line.slice(at, end))), end };
  } catch {
    return problem(
      "this text has an escape JSON does not know; write \\\\ for a backslash, or put the text in '…', which takes it as written.",
    );
  }
}

function plainText(line: string, at: number): Scanned {
  const end = line.indexOf("'", at + 1);
  if (end === -1) return problem("this text is not closed; expected another '.");
  return { kind: "text", value: line.slice(at + 1, end), end: end + 1 };
}

function regex(line: string, at: number): Scanned {
  const end = closing(line, at, "/");
  if (end === undefined) return problem("this regular expression is not closed; expected another /.");
  const flags = match(/[A-Za-z]*/y, line, end) ?? "";
  if (flags !== "" && flags !== "i") {
    return problem(
      `a regular expression takes the flag i only, not ${JSON.stringify(flags)}; write (?s) or (?m) inside it.`,
    );
  }
  const value = line.slice(at + 1, end - 1).replaceAll("\\/", "/");
  return { kind: "regex", value, ignoreCase: flags === "i", end: end + flags.length };
}

/** Just after the quote that closes the one at `at`; a backslash takes the next character with it. */
function closing(line: string, at: number, quote: string): number | undefined {
  for (let end = at + 1; end < line.length; end += 1) {
    if (line[end] === quote) return end + 1;
    if (line[end] === "\\") end += 1;
  }
  return undefined;
}

function match(pattern: RegExp, line: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0];
}

function problem(text: string): Scanned {
  return { kind: "problem", problem: text, end: 0 };
}
