import type { Pattern } from "./pattern.ts";

const NOTHING: Pattern = { type: "text", text: "" };
const ANY: Pattern = { type: "any" };
const REPEAT = /\{(\d{1,4})(?:(,)(\d{0,4}))?\}/y;
const GROUP = /\(\?(?:P?<[A-Za-z_]\w*>|[imsU-]*:)/y;
const PLAIN_RUN = /[A-Za-z0-9 _/@:;,=~"'#%&<>!-]+/y;
const FLAGS = /\(\?[imsU-]+\)/y;
const ASSERTIONS = new Set(["b", "B", "A", "z"]);
/** Whole escapes for characters that the index does not list. */
const UNLISTED =
  /\\(?:[dDwWsSCntrfva]|[pP](?:\{\^?\w+\}|[A-Za-z])|x(?:\{[0-9A-Fa-f]+\}|[0-9A-Fa-f]{2})|[0-7]{1,3})/y;

/** Thrown inside this file for syntax it does not know; nothing is then known about the pattern. */
class UnknownSyntax extends Error {}

interface Reader {
  readonly source: string;
  at: number;
}

/**
 * Reads a regular expression as far as the index needs it. Letters are read without their case. What it does not
 * understand is `any`, never a guess: the engine, not this reader, says whether a pattern is valid.
 */
export function regexPattern(source: string): Pattern {
  const reader: Reader = { source, at: 0 };
  try {
    const pattern = choice(reader);
    return reader.at === source.length ? pattern : ANY;
  } catch (error) {
    if (error instanceof UnknownSyntax || error instanceof RangeError) return ANY;
    throw error;
  }
}

function choice(reader: Reader): Pattern {
  const options = [sequence(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    options.push(sequence(reader));
  }
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { type: "choice", options };
}

function sequence(reader: Reader): Pattern {
  const parts: Pattern[] = [];
  while (reader.at < reader.source.length && !"|)".includes(reader.source[reader.at] ?? "")) {
    parts.push(repeated(reader, atom(reader)));
  }
  return { type: "sequence", parts };
}

function repeated(reader: Reader, atom: Pattern): Pattern {
  let part = atom;
  for (;;) {
    const bounds = repetition(reader);
    if (bounds === undefined) return part;
    if (reader.source[reader.at] === "?") reader.at += 1;
    part = { type: "repeat", part, ...bounds };
  }
}

function repetition(reader: Reader): { readonly min: number; readonly max: number } | undefined {
  const char = reader.source[reader.at];
  if (char === "*" || char === "+" || char === "?") {
    reader.at += 1;
    return { min: char === "+" ? 1 : 0, max: char === "?" ? 1 : Number.POSITIVE_INFINITY };
  }
  const found = matchAt(REPEAT, reader);
  if (found === undefined) return undefined;
  const [, min = "0", comma, max = ""] = found;
  if (comma === undefined) return { min: Number(min), max: Number(min) };
  return { min: Number(min), max: max === "" ? Number.POSITIVE_INFINITY : Number(max) };
}

function atom(reader: Reader): Pattern {
  const char = reader.source[reader.at];
  switch (char) {
    case "(":
      return groupAt(reader);
    case "[":
      return classAt(reader);
    case "\\":
      return escapeAt(reader);
    case "^":
    case "$":
      reader.at += 1;
      return NOTHING;
    case ".":
      reader.at += 1;
      return ANY;
    case "*":
    case "+":
    case "?":
      throw new UnknownSyntax();
    default:
      return { type: "text", text: plainRun(reader) };
  }
}

/** The characters up to the next special one; a repeated character is a run of its own. */
function plainRun(reader: Reader): string {
  const start = reader.at;
  const run = matchAt(PLAIN_RUN, reader)?.[0].length ?? 0;
  if (run > 1 && "*+?{".includes(reader.source[reader.at] ?? " ")) reader.at -= 1;
  if (run === 0) reader.at += (reader.source.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  return reader.source.slice(start, reader.at);
}

function groupAt(reader: Reader): Pattern {
  if (matchAt(FLAGS, reader) !== undefined) return NOTHING;
  if (matchAt(GROUP, reader) === undefined) {
    if (reader.source[reader.at + 1] === "?") throw new UnknownSyntax();
    reader.at += 1;
  }
  const inside = choice(reader);
  if (reader.source[reader.at] !== ")") throw new UnknownSyntax();
  reader.at += 1;
  return inside;
}

function classAt(reader: Reader): Pattern {
  const end = classEnd(reader.source, reader.at);
  if (end === undefined) throw new UnknownSyntax();
  reader.at = end;
  return ANY;
}

function escapeAt(reader: Reader): Pattern {
  const { source, at } = reader;
  if (matchAt(UNLISTED, reader) !== undefined) return ANY;
  const char = source[at + 1];
  if (char === undefined || char > "\u007f") throw new UnknownSyntax();
  reader.at = at + 2;
  if (ASSERTIONS.has(char)) return NOTHING;
  if (/\w/.test(char)) throw new UnknownSyntax();
  return { type: "text", text: char };
}

function matchAt(pattern: RegExp, reader: Reader): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source);
  if (found === null) return undefined;
  reader.at = pattern.lastIndex;
  return found;
}

/** Just after the `]` that closes the class whose `[` is at `start`, or `undefined`. */
function classEnd(source: string, start: number): number | undefined {
  let at = start + 1;
  if (source[at] === "^") at += 1;
  if (source[at] === "]") at += 1;
  for (; at < source.length; at += 1) {
    if (source[at] === "]") return at + 1;
    if (source[at] === "\\") at += 1;
    else if (source.startsWith("[:", at)) {
      const named = source.indexOf(":]", at + 2);
      if (named !== -1) at = named + 1;
    }
  }
  return undefined;
}
