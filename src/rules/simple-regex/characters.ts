import { escapedClass, namedClass, unicodeClass } from "./class-tables.ts";
import { charAt, NotSimple, type Reader } from "./reader.ts";
import { allBut, anyOf, type Chars, charOf, isWord, NONE, type SymbolSet, setOf } from "./symbols.ts";

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Characters that without regard to case are also one of ASCII, and halves of a character, are for the engine. */
const NOT_ITSELF = /[\u017f\u212a\ud800-\udfff]/;

/** A character that stands for itself. One beyond ASCII is none that a text of ASCII has. */
export function literal(reader: Reader, char: string): Chars {
  if (char <= "\u007f") return charOf(char.charCodeAt(0), reader.ignoreCase);
  if (char.length === 1 && NOT_ITSELF.test(char)) throw new NotSimple();
  reader.asciiOnly = true;
  return NONE;
}

/** The characters an escape stands for; its backslash has been read. */
export function escapedChars(reader: Reader): Chars {
  const char = reader.source[reader.at] ?? "";
  reader.at += 1;
  const lower = char.toLowerCase();
  if (lower === "p") {
    const set = unicodeClassAt(reader);
    return char === lower ? set : allBut(set);
  }
  const set = escapedClass(lower, reader.ignoreCase);
  if (set !== undefined) return char === lower ? set : allBut(set);
  return escapedSymbol(char);
}

/** The class whose name follows: one letter, or more in braces. */
function unicodeClassAt(reader: Reader): Chars {
  const [text = "", inBraces, letter = ""] =
    /^(?:\{([A-Za-z]{1,10})\}|([A-Z]))/.exec(reader.source.slice(reader.at, reader.at + 12)) ?? [];
  const set = unicodeClass(inBraces ?? letter, reader.ignoreCase);
  if (set === undefined) throw new NotSimple();
  reader.at += text.length;
  reader.asciiOnly = true;
  return set;
}

function escapedSymbol(char: string): number {
  const control = Object.hasOwn(CONTROLS, char) ? CONTROLS[char] : undefined;
  if (control !== undefined) return control;
  const symbol = char.charCodeAt(0);
  // Letters and digits with another meaning are for the engine.
  if (!(symbol > 32 && symbol < 127) || isWord(symbol)) throw new NotSimple();
  return symbol;
}

/** A class, whose opening bracket has been read. */
export function classAt(reader: Reader): Chars {
  const { source } = reader;
  const negated = source[reader.at] === "^";
  if (negated) reader.at += 1;
  const several: Chars[] = [];
  while (source[reader.at] !== "]" || several.length === 0) {
    const first = classItem(reader);
    if (source[reader.at] !== "-" || source[reader.at + 1] === "]") {
      several.push(typeof first === "string" ? literal(reader, first) : first);
      continue;
    }
    reader.at += 1;
    several.push(rangeOf(reader, first, classItem(reader)));
  }
  reader.at += 1;
  return negated ? allBut(anyOf(several)) : anyOf(several);
}

function rangeOf({ ignoreCase }: Reader, first: ClassItem, last: ClassItem): Chars {
  if (typeof first !== "string" || typeof last !== "string") throw new NotSimple();
  if (first > last || last > "\u007f") throw new NotSimple();
  return setOf([[first.charCodeAt(0), last.charCodeAt(0)]], ignoreCase);
}

/** A character, which may begin a range, or several. */
type ClassItem = string | SymbolSet;

function classItem(reader: Reader): ClassItem {
  const char = charAt(reader);
  if (char === "\\") {
    const chars = escapedChars(reader);
    return typeof chars === "number" ? String.fromCharCode(chars) : chars;
  }
  if (char === "[") return namedClassAt(reader);
  if (char === "" || "]-".includes(char)) {
    // A hyphen that closes the class is itself.
    if (char === "-" && reader.source[reader.at] === "]") return char;
    throw new NotSimple();
  }
  return char;
}

/** A class by its name, such as `[:alpha:]`; its bracket has been read. */
function namedClassAt(reader: Reader): SymbolSet {
  const [text = "", negated, name = ""] =
    /^:(\^?)([a-z]{4,6}):\]/.exec(reader.source.slice(reader.at, reader.at + 11)) ?? [];
  const set = namedClass(name, reader.ignoreCase);
  if (set === undefined) throw new NotSimple();
  reader.at += text.length;
  return negated === "^" ? allBut(set) : set;
}
