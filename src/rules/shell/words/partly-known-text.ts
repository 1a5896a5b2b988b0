/**
 * Text of which parts are unknown until the line runs. An unknown part is stored as it was written (`$NAME`,
 * `$(command)`) between two private-use characters, so that text can be joined, cut and split as usual.
 */
const OPEN = "\uE000";
const CLOSE = "\uE001";

/** An unknown item, written as a variable so that it stays unknown in text it is put into. */
export const ITEM = "$ITEM";

/** The input without the two characters this file uses for itself. */
export function withoutMarkers(text: string): string {
  return /[\uE000\uE001]/.test(text) ? text.replace(/[\uE000\uE001]/g, "\uFFFD") : text;
}

/** A part whose value can't be known, shown as its source. */
export function unknown(source: string): string {
  return OPEN + shown(source) + CLOSE;
}

/** True when no part is unknown. */
export function isKnown(text: string): boolean {
  return !text.includes(OPEN);
}

/** The text as a person would write it: unknown parts as their source. */
export function shown(text: string): string {
  return text.includes(OPEN) || text.includes(CLOSE) ? text.replace(/[\uE000\uE001]/g, "") : text;
}

/** The text with a `*` for each unknown part, for places where it is compared as a pattern. */
export function withStars(text: string): string {
  return isKnown(text) ? text : text.replace(/\uE000[^\uE001]*\uE001?/g, "*");
}

/** The sources of the unknown parts, in order. */
export function unknownParts(text: string): readonly string[] {
  if (isKnown(text)) return [];
  return text
    .split(OPEN)
    .slice(1)
    .map((piece) => piece.split(CLOSE, 1)[0] ?? "");
}

/** The known end of the text: what follows the last unknown part. */
export function knownTail(text: string): string {
  return text.slice(text.lastIndexOf(CLOSE) + 1);
}

/** Splits at white space the way a shell splits an unquoted value; unknown parts stay whole. */
export function splitFields(text: string): readonly string[] {
  const fields: string[] = [];
  let current = "";
  let inside = false;
  for (const char of text) {
    if (char === OPEN) inside = true;
    if (char === CLOSE) inside = false;
    if (!inside && (char === " " || char === "\t" || char === "\n")) {
      if (current !== "") fields.push(current);
      current = "";
    } else {
      current += char;
    }
  }
  if (current !== "") fields.push(current);
  return fields;
}
