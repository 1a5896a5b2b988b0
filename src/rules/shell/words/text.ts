/**
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
