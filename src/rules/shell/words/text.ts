/*
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

/*
 * Small tools for text of any length. `/x+$/` and its like start again at each character, which takes quadratic time
 * on a long run that is followed by something else; these look at each character once.
 */

/** The text without the characters of one kind at its end. */
export function withoutTrailing(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

/** What follows the last slash. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const MOST_REPLACED = 65_536;

/** Like `replaceAll`; `undefined` when the result would be very long, which a short text can ask for. */
export function replaceWithin(text: string, from: string, to: string): string | undefined {
  if (from === "" || !text.includes(from)) return text;
  const pieces = text.split(from);
  const length = text.length + (pieces.length - 1) * (to.length - from.length);
  return length > MOST_REPLACED ? undefined : pieces.join(to);
}

/** True for a path that names several files, as a shell reads it: `.e*`, `/etc/shad?w`. */
export function hasWildcard(path: string): boolean {
  return /[*?[]/.test(path);
}
