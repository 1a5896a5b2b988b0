import { type Chars, setOf } from "./symbols.ts";

type Ranges = readonly (readonly [from: number, to: number])[];

const UPPER = [65, 90] as const;
const LOWER = [97, 122] as const;
const DIGITS: Ranges = [[48, 57]];
const SPACE: Ranges = [[32, 32]];

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

/** The characters of ASCII in a class of Unicode, by its name; `undefined` for one that is not in our table. */
export function unicodeClass(name: string, ignoreCase: boolean): Chars | undefined {
  const ranges = Object.hasOwn(ASCII_PARTS, name) ? ASCII_PARTS[name] : undefined;
  return ranges === undefined ? undefined : setOf(ranges, ignoreCase);
}
