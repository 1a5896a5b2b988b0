import { isAbsolute, relative, sep } from "node:path";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { homeFolder } from "../../../node/user-folders.ts";
import { dayOf } from "../../../shared/day-of.ts";

export { harmless, harmlessLine, harmlessName, quoted } from "../../../shared/harmless.ts";

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
  let used = 0;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    used += columns(segment);
    if (used > width) return `${text.slice(0, end)}…`;
    if (used <= Math.max(1, width - 1)) end = index + segment.length;
  }
  return text;
}

/** The same, but between words where there are any. */
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
      const words = line.trimStart();
      const before = `${indent}${line.slice(0, line.length - words.length)}`;
      if (!Number.isFinite(width)) return `${before}${words}`;
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

/** A path relative to the working folder or the home folder. */
export function shortPath(path: string, cwd: string): string {
  const from = relative(cwd, path);
  if (from !== "" && !from.startsWith("..") && !isAbsolute(from)) return from;
  const home = homeFolder();
  return path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path;
}

/** `1 hook`, `2 hooks`. */
export function counted(number: number, one: string): string {
  return `${number} ${number === 1 ? one : `${one}s`}`;
}

export function milliseconds(value: number): string {
  return value >= 100 ? `${Math.round(value)} ms` : `${value.toFixed(value >= 10 ? 0 : 1)} ms`;
}

/** `14:05`, where the user is. */
export function timeOfDay(time: string): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const DAY_MILLISECONDS = 86_400_000;

/** `Today`, `Yesterday`, `Mon 2026-03-09`, where the user is. */
export function dayName(time: string, now = Date.now()): string {
  const date = dayOf(time);
  if (date === dayOf(now)) return "Today";
  if (date === dayOf(now - DAY_MILLISECONDS)) return "Yesterday";
  return `${DAYS[new Date(time).getDay()] ?? ""} ${date}`.trim();
}

const AGES: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "m"],
  [1, "s"],
];

/** How long ago a time was, in its largest unit: `3h ago`. */
export function ago(time: string, now = Date.now()): string {
  const [number, unit] = largestUnit(now - Date.parse(time));
  return `${number}${unit} ago`;
}

/** How long something has lasted: `4 min`. */
export function age(since: string, now = Date.now()): string {
  return duration(now - Date.parse(since));
}

/** A length of time as people say it: `4 min`. */
export function duration(lasted: number): string {
  const [number, unit] = largestUnit(lasted);
  return `${number} ${unit === "m" ? "min" : unit}`;
}

function largestUnit(lasted: number): readonly [number: number, unit: string] {
  const seconds = Math.max(0, Math.floor(lasted / 1000));
  const [length, unit] = AGES.find(([least]) => seconds >= least) ?? [1, "s"];
  return [Math.floor(seconds / length), unit];
}
