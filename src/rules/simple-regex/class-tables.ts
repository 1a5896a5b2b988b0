import { type SymbolSet, setOf } from "./symbols.ts";

type Ranges = readonly (readonly [from: number, to: number])[];

const UPPER = [65, 90] as const;
const LOWER = [97, 122] as const;
const DIGIT = [48, 57] as const;
const DIGITS: Ranges = [DIGIT];
const SPACE: Ranges = [[32, 32]];
const WORD: Ranges = [DIGIT, UPPER, [95, 95], LOWER];

/** By the letter of their escape. */
const ESCAPED: Readonly<Record<string, Ranges>> = {
  d: DIGITS,
  w: WORD,
  s: [
    [9, 10],
    [12, 13],
    [32, 32],
  ],
};

/** By the name in `[:…:]`. */
const NAMED: Readonly<Record<string, Ranges>> = {
  alnum: [DIGIT, UPPER, LOWER],
  alpha: [UPPER, LOWER],
  ascii: [[0, 127]],
  blank: [[9, 9], ...SPACE],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: DIGITS,
  graph: [[33, 126]],
  lower: [LOWER],
  print: [[32, 126]],
  punct: [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  space: [[9, 13], ...SPACE],
  upper: [UPPER],
  word: WORD,
  xdigit: [DIGIT, [65, 70], [97, 102]],
};

/** Of the classes that people ask for by `\p{…}`, the characters of ASCII. Those do not change with a new Unicode. */
const ASCII_PARTS: Readonly<Record<string, Ranges>> = {
  L: [UPPER, LOWER],
  Lu: [UPPER],
  Ll: [LOWER],
  N: DIGITS,
  Nd: DIGITS,
  P: [
    [33, 35],
    [37, 42],
    [44, 47],
    [58, 59],
    [63, 64],
    [91, 93],
    [95, 95],
    [123, 123],
    [125, 125],
  ],
  S: [
    [36, 36],
    [43, 43],
    [60, 62],
    [94, 94],
    [96, 96],
    [124, 124],
    [126, 126],
  ],
  Z: SPACE,
  Zs: SPACE,
  Latin: [UPPER, LOWER],
  Greek: [],
  Cyrillic: [],
  Arabic: [],
  Hebrew: [],
  Han: [],
};

/** The class of an escape such as `\d`, by its letter. */
export function escapedClass(letter: string, ignoreCase: boolean): SymbolSet | undefined {
  return setFrom(ESCAPED, letter, ignoreCase);
}

/** The class that is written `[:name:]` inside of another. */
export function namedClass(name: string, ignoreCase: boolean): SymbolSet | undefined {
  return setFrom(NAMED, name, ignoreCase);
}

/** The characters of ASCII in a class of Unicode, by its name; `undefined` for one that is not in our table. */
export function unicodeClass(name: string, ignoreCase: boolean): SymbolSet | undefined {
  return setFrom(ASCII_PARTS, name, ignoreCase);
}

function setFrom(table: Readonly<Record<string, Ranges>>, name: string, ignoreCase: boolean) {
  const ranges = Object.hasOwn(table, name) ? table[name] : undefined;
  return ranges === undefined ? undefined : setOf(ranges, ignoreCase);
}
