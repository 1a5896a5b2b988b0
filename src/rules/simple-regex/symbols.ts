/*
 * What a simple expression tells apart: the characters of ASCII, the two beyond it that fold to one of its letters, and
 * all others as one.
 */
const OTHER = 128;
const LONG_S = 129;
const KELVIN = 130;

/** The end of a text, after its last symbol. */
export const END = 131;

/** For each symbol whether it fits. */
export type SymbolSet = readonly boolean[];

/** Characters that fit: a single symbol, or several. */
export type Chars = number | SymbolSet;

/** The symbol of a character, by its code. */
export function symbolOf(code: number): number {
  if (code < OTHER) return code;
  return code === 0x17f ? LONG_S : code === 0x212a ? KELVIN : OTHER;
}

/** True when a symbol is one of the characters. */
export function fits(chars: Chars, symbol: number): boolean {
  return typeof chars === "number" ? chars === symbol : chars[symbol] === true;
}

/** True for a letter, a digit or `_`: what `\b` asks for. */
export function isWord(symbol: number): boolean {
  return (
    (symbol >= 97 && symbol <= 122) ||
    (symbol >= 65 && symbol <= 90) ||
    (symbol >= 48 && symbol <= 57) ||
    symbol === 95
  );
}

/** One character; without regard to case, also the others it folds to. */
export function charOf(symbol: number, ignoreCase: boolean): Chars {
  return ignoreCase && isLetter(symbol) ? setOf([[symbol, symbol]], true) : symbol;
}

/** All characters of some ranges, their ends included; without regard to case, also those they fold to. */
export function setOf(
  ranges: readonly (readonly [from: number, to: number])[],
  ignoreCase: boolean,
): SymbolSet {
  const set: boolean[] = Array.from({ length: END }, () => false);
  for (const [from, to] of ranges) {
    for (let symbol = from; symbol <= to; symbol += 1) {
      set[symbol] = true;
      if (!ignoreCase || !isLetter(symbol)) continue;
      set[symbol ^ 32] = true;
      const lower = symbol | 32;
      if (lower === 115) set[LONG_S] = true;
      if (lower === 107) set[KELVIN] = true;
    }
  }
  return set;
}

/** No character at all. */
export const NONE: SymbolSet = [];

/** Every character that is none of these. */
export function allBut(chars: Chars): SymbolSet {
  return Array.from({ length: END }, (_, symbol) => !fits(chars, symbol));
}

/** Every character that is one of any. */
export function anyOf(several: readonly Chars[]): SymbolSet {
  return Array.from({ length: END }, (_, symbol) => several.some((chars) => fits(chars, symbol)));
}

function isLetter(symbol: number): boolean {
  const lower = symbol | 32;
  return lower >= 97 && lower <= 122;
}
