import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** The size of a terminal. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Each character is one column wide. Most texts are like this, and to know about all others takes long to load. */
const PLAIN = /^[ -~]*$/;

/** How many columns a string takes on a terminal; escape codes take none. */
export function columns(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}

export function padded(text: string, width: number, right = false): string {
  const spaces = " ".repeat(Math.max(0, width - columns(text)));
  return right ? `${spaces}${text}` : `${text}${spaces}`;
}

/** Cuts a string to at most `width` columns; the last one is then `…`. */
export function cut(text: string, width: number): string {
  if (!Number.isFinite(width) || (PLAIN.test(text) && text.length <= width)) return text;
  if (width <= 0) return "";
  let used = 0;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    used += columns(segment);
    if (used > width) return `${text.slice(0, end)}…`;
    if (used <= Math.max(1, width - 1)) end = index + segment.length;
  }
  return text;
}

/**
 * A painted line that fits; one that is too long loses its colours. Ink cuts a whole text to one line when any line of it is
 * too long.
 */
export function fittedLine(line: string, width: number): string {
  return columns(line) <= width ? line : cut(stripVTControlCharacters(line), width);
}

/** Like `cut`, but between words where there are any. */
export function cutWords(text: string, width: number): string {
  const short = cut(text, width);
  if (short === text) return text;
  const end = short.lastIndexOf(" ");
  return end <= 0 ? short : `${short.slice(0, end)} …`;
}

/**
 * Breaks lines between words; longer words stay whole, unless they are of wide characters, which languages without
 * spaces use. A line keeps its leading spaces, and its continuation lines get
 * them too, so that a mark below a line still points at the right place.
 */
export function wrapped(text: string, width: number, indent = ""): string {
  return text
    .split("\n")
    .map((line) => {
      if (!Number.isFinite(width)) return `${indent}${line}`;
      // A colour may begin before the spaces.
      const plain = stripVTControlCharacters(line);
      const spaces = plain.slice(0, plain.length - plain.trimStart().length);
      const words = line.replace(spaces, "");
      const before = `${indent}${spaces}`;
      const room = Math.max(1, width - columns(before));
      const lines = wrapAnsi(words, room, { hard: hasLongWideWord(words, room) }).split("\n");
      return lines.map((part) => `${before}${part}`).join("\n");
    })
    .join("\n");
}

function hasLongWideWord(line: string, width: number): boolean {
  return line.split(" ").some((word) => columns(word) > width && columns(word) > word.length);
}

/**
 * Breaks what others wrote, also within words and with less of a deep indentation, so that every line fits. Where a
 * terminal breaks a line itself, the rest begins at the left, where our own lines do.
 */
export function fitted(text: string, width: number): string {
  if (!Number.isFinite(width)) return text;
  const lines = text.replaceAll("\t", "    ").split("\n");
  return lines
    .flatMap((line) => {
      const words = line.trimStart();
      const before = " ".repeat(Math.min(line.length - words.length, Math.floor(width / 2)));
      const parts = wrapAnsi(words, Math.max(2, width - before.length), { hard: true }).split("\n");
      return parts.map((part) => `${before}${part}`);
    })
    .join("\n");
}

/** A title and a text next to it, with continuation lines below the text. */
export function hanging(
  title: string,
  text: string,
  width: number,
  indent: number,
  wrap: (text: string, width: number) => string = wrapped,
): string {
  const lines = wrap(text, width - indent).split("\n");
  return lines
    .map((line, at) => `${at === 0 ? padded(title, indent) : " ".repeat(indent)}${line}`)
    .join("\n");
}
