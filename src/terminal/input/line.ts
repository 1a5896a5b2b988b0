import { columns } from "../layout.ts";
import type { Key } from "./key.ts";

/** Text that is being typed, and where the cursor is in it. */
export interface TypedLine {
  readonly text: string;
  readonly at: number;
}

export const EMPTY_LINE: TypedLine = { text: "", at: 0 };

export function lineOf(text: string): TypedLine {
  return { text, at: text.length };
}

/** The text after a key; `undefined` when the key does not edit. */
export function editLine(line: TypedLine, key: Key): TypedLine | undefined {
  const { text, at } = line;
  if (key.ctrl === true) return CONTROL[key.text]?.(line);
  switch (key.name) {
    case "left":
      return { text, at: key.meta === true ? wordBefore(text, at) : before(text, at) };
    case "right":
      return { text, at: key.meta === true ? wordAfter(text, at) : after(text, at) };
    case "home":
      return { text, at: lineStart(text, at) };
    case "end":
      return { text, at: lineEnd(text, at) };
    case "backspace":
      return cutOut(line, key.meta === true ? wordBefore(text, at) : before(text, at), at);
    case "delete":
      return cutOut(line, at, after(text, at));
    case undefined:
      return key.meta === true || key.text === "" ? undefined : insert(line, key.text);
    default:
      return undefined;
  }
}

const CONTROL: Readonly<Record<string, (line: TypedLine) => TypedLine>> = {
  a: ({ text, at }) => ({ text, at: lineStart(text, at) }),
  e: ({ text, at }) => ({ text, at: lineEnd(text, at) }),
  u: (line) => cutOut(line, lineStart(line.text, line.at), line.at),
  k: (line) => cutOut(line, line.at, lineEnd(line.text, line.at)),
  w: (line) => cutOut(line, wordBefore(line.text, line.at), line.at),
};

/** Puts text at the cursor. What would act on the terminal is left out; a paste may have several lines. */
export function insert({ text, at }: TypedLine, added: string): TypedLine {
  const clean = added.replaceAll(/\r\n?/g, "\n").replaceAll("\t", "    ").replaceAll(UNPRINTABLE, "");
  return { text: `${text.slice(0, at)}${clean}${text.slice(at)}`, at: at + clean.length };
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}](?<!\n|\u200d)/gu;

function cutOut({ text }: TypedLine, from: number, to: number): TypedLine {
  return { text: `${text.slice(0, from)}${text.slice(to)}`, at: from };
}

/** The place before the character to the left of the cursor, as people see characters. */
function before(text: string, at: number): number {
  let found = 0;
  for (const { index } of new Intl.Segmenter().segment(text)) if (index < at) found = index;
  return found;
}

function after(text: string, at: number): number {
  const [next] = new Intl.Segmenter().segment(text.slice(at));
  return at + (next?.segment.length ?? 0);
}

function wordBefore(text: string, at: number): number {
  return at - (/\S*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0);
}

function wordAfter(text: string, at: number): number {
  return at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

const [MARK, UNMARK] = ["\u001b[7m", "\u001b[27m"];

/** A typed line with its cursor, moved to the left as far as it needs to fit. */
export function drawLine({ text, at }: TypedLine, width: number): string {
  const characters = [...new Intl.Segmenter().segment(text.replaceAll("\n", "↵"))];
  const cursor = characters.findIndex(({ index }) => index >= at);
  const end = cursor < 0 ? characters.length : cursor;
  let first = 0;
  const before = (): string =>
    characters
      .slice(first, end)
      .map(({ segment }) => segment)
      .join("");
  while (first < end && columns(before()) >= width - 1) first += 1;
  const under = characters[end]?.segment ?? " ";
  let after = "";
  for (const { segment } of characters.slice(end + 1)) {
    if (columns(before()) + columns(under) + columns(after) + columns(segment) > width) break;
    after += segment;
  }
  return `${before()}${MARK}${under}${UNMARK}${after}`;
}
