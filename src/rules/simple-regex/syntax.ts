import { classAt, escapedChars, literal } from "./characters.ts";
import { charAt, NotSimple, type Reader } from "./reader.ts";
import { allBut, type Chars } from "./symbols.ts";

/** What asks for a place instead of a character. */
export type Assertion = "begin" | "end" | "word" | "inside";

/** A simple expression, taken apart. */
export type Expression =
  | { readonly type: "chars"; readonly chars: Chars }
  | { readonly type: "assertion"; readonly assertion: Assertion }
  | { readonly type: "sequence"; readonly parts: readonly Expression[] }
  | { readonly type: "choice"; readonly options: readonly Expression[] }
  | { readonly type: "repeat"; readonly part: Expression; readonly min: number; readonly max: number };

/** An expression that has been read. */
export interface Read {
  readonly expression: Expression;
  /** It tells characters beyond ASCII apart, which is not followed here: what it fits is known for texts of ASCII only. */
  readonly asciiOnly: boolean;
}

const LONGEST = 1000;
const DEEPEST = 20;
const MOST_TIMES = 100;

const ASSERTIONS: Readonly<Record<string, Assertion>> = { b: "word", B: "inside", A: "begin", z: "end" };
/**
 * Reads an expression that has nothing but characters, classes, `.`, groups, choices, repetitions, `^`, `$` and `\b`: most
 * that people write. Answers `undefined` for everything else, valid or not. Never throws.
 */
export function readExpression(source: string, ignoreCase: boolean): Read | undefined {
  if (source.length > LONGEST) return undefined;
  const folds = source.startsWith("(?i)");
  const reader = {
    source,
    ignoreCase: ignoreCase || folds,
    asciiOnly: false,
    at: folds ? 4 : 0,
    depth: 0,
  };
  try {
    const expression = choice(reader);
    return reader.at === source.length ? { expression, asciiOnly: reader.asciiOnly } : undefined;
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

function choice(reader: Reader): Expression {
  const options = [sequence(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    options.push(sequence(reader));
  }
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { type: "choice", options };
}

function sequence(reader: Reader): Expression {
  const { source } = reader;
  const parts: Expression[] = [];
  while (reader.at < source.length && source[reader.at] !== "|" && source[reader.at] !== ")")
    parts.push(repeated(reader, atom(reader)));
  // Nothing at all can be repeated without end, which engines count in their own ways.
  if (parts.length === 0) throw new NotSimple();
  return { type: "sequence", parts };
}

function repeated(reader: Reader, part: Expression): Expression {
  const bounds = boundsAt(reader);
  if (bounds === undefined) return part;
  if (part.type === "assertion" || bounds.min > bounds.max) throw new NotSimple();
  // How much is taken first does not change whether something fits.
  if (reader.source[reader.at] === "?") reader.at += 1;
  if ("*+?{".includes(reader.source[reader.at] ?? " ")) throw new NotSimple();
  return { type: "repeat", part, ...bounds };
}

function boundsAt(reader: Reader): { readonly min: number; readonly max: number } | undefined {
  const char = reader.source[reader.at];
  if (char === "*" || char === "+" || char === "?") {
    reader.at += 1;
    return { min: char === "+" ? 1 : 0, max: char === "?" ? 1 : Number.POSITIVE_INFINITY };
  }
  if (char !== "{") return undefined;
  const found = /^\{(\d{1,3})(?:(,)(\d{0,3}))?\}/.exec(reader.source.slice(reader.at, reader.at + 10));
  if (found === null) throw new NotSimple();
  reader.at += found[0].length;
  const min = Number(found[1]);
  const max = found[2] === undefined ? min : found[3] === "" ? Number.POSITIVE_INFINITY : Number(found[3]);
  if (min > MOST_TIMES || (max > MOST_TIMES && max !== Number.POSITIVE_INFINITY)) throw new NotSimple();
  return { min, max };
}

function atom(reader: Reader): Expression {
  const char = charAt(reader);
  switch (char) {
    case "(":
      return group(reader);
    case "[":
      return { type: "chars", chars: classAt(reader) };
    case "\\":
      return escaped(reader);
    case "^":
      return { type: "assertion", assertion: "begin" };
    case "$":
      return { type: "assertion", assertion: "end" };
    case ".":
      return { type: "chars", chars: allBut(10) };
    default:
      if (char === "" || "*+?{}])".includes(char)) throw new NotSimple();
      return { type: "chars", chars: literal(reader, char) };
  }
}

/** How a group opens that is none for counting, and whether case counts in it no longer. */
const OPENINGS: readonly (readonly [text: string, ignoreCase: boolean])[] = [
  ["?:", false],
  ["?i:", true],
];

function group(reader: Reader): Expression {
  const { source, at, ignoreCase } = reader;
  const opening = OPENINGS.find(([text]) => source.startsWith(text, at));
  if (source[at] === "?" && opening === undefined) throw new NotSimple();
  const [text, folds] = opening ?? ["", false];
  reader.at += text.length;
  reader.ignoreCase ||= folds;
  reader.depth += 1;
  if (reader.depth > DEEPEST) throw new NotSimple();
  const inside = choice(reader);
  reader.depth -= 1;
  reader.ignoreCase = ignoreCase;
  if (source[reader.at] !== ")") throw new NotSimple();
  reader.at += 1;
  return inside;
}

function escaped(reader: Reader): Expression {
  const char = reader.source[reader.at] ?? "";
  const assertion = Object.hasOwn(ASSERTIONS, char) ? ASSERTIONS[char] : undefined;
  if (assertion === undefined) return { type: "chars", chars: escapedChars(reader) };
  reader.at += 1;
  return { type: "assertion", assertion };
}
