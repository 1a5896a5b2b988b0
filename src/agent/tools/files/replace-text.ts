import { failed } from "../input.ts";

export interface Replacement {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

export interface Replaced {
  readonly text: string;
  readonly count: number;
  /** The line of the first replacement, from 1. */
  readonly line: number;
}

/**
 * Replaces literal text.
 *
 * In a file with Windows line endings, `\n` in the strings matches any line break: unchanged lines keep theirs, and a
 * new line break is like the one it replaces, or else like the nearest one. In a file without them, and for an
 * old_string that contains `\r`, every character counts; a line break of new_string becomes `\r\n` when all of
 * old_string's are and it differs in more than that.
 *
 * @throws TenterhookError `tool_failed` when the old text is missing, or found several times without `replace_all`.
 */
export function replaceText(text: string, replacement: Replacement): Replaced {
  const { old_string, new_string, replace_all } = replacement;
  const byLines = text.includes("\r\n") && !old_string.includes("\r");
  const view = byLines ? text.replaceAll("\r\n", "\n") : text;
  const found = positions(view, old_string);
  const [first] = found;
  if (first === undefined) throw failed("String not found");
  if (found.length > 1 && !replace_all) {
    throw failed(`String appears ${found.length} times, use replace_all or add context`);
  }
  const line = view.slice(0, first).split("\n").length;
  const changed = byLines
    ? replaceInLines(text, found, old_string, new_string.replaceAll("\r\n", "\n"))
    : text.split(old_string).join(likeBreaksOf(old_string, new_string));
  return { text: changed, count: found.length, line };
}

/** Uses Windows line endings in the new text when all of the old one's are and more than that changes. */
function likeBreaksOf(old: string, next: string): string {
  const isWindows = old.includes("\r\n") && !/(?<!\r)\n/.test(old);
  return isWindows && old.replaceAll("\r\n", "\n") !== next ? next.replace(/\r?\n/g, "\r\n") : next;
}

function positions(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    found.push(at);
  return found;
}

/** Replaces by positions in the view, in which every line break is one character. */
function replaceInLines(text: string, found: readonly number[], old: string, next: string): string {
  const { head, tail } = commonEnds(old, next);
  const middle = next.slice(head, next.length - tail);
  const toText = positionsInText(text);
  const parts: string[] = [];
  let done = 0;
  for (const at of found) {
    const start = toText(at + head);
    const end = toText(at + old.length - tail);
    parts.push(text.slice(done, start), withLineBreaks(middle, text, start, end));
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

/** How much both strings have in common at each end: the edit leaves it as it is in the file. */
function commonEnds(old: string, next: string): { readonly head: number; readonly tail: number } {
  const most = Math.min(old.length, next.length);
  let head = 0;
  while (head < most && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail += 1;
  return { head, tail };
}

/** Converts ascending positions in the view to positions in the text. */
function positionsInText(text: string): (position: number) => number {
  let carriageReturns = 0;
  let next = text.indexOf("\r\n");
  return (position) => {
    while (next !== -1 && next - carriageReturns < position) {
      carriageReturns += 1;
      next = text.indexOf("\r\n", next + 2);
    }
    return position + carriageReturns;
  };
}

/** Takes the line breaks of the replaced part, in order, then those of the neighbourhood. */
function withLineBreaks(middle: string, text: string, start: number, end: number): string {
  const replaced = text.slice(start, end).match(/\r?\n/g) ?? [];
  const usual = replaced.at(-1) ?? nearestBreak(text, end);
  let number = 0;
  return middle.replaceAll("\n", () => replaced[number++] ?? usual);
}

function nearestBreak(text: string, at: number): string {
  const after = text.indexOf("\n", at);
  const place = after === -1 ? text.lastIndexOf("\n", at - 1) : after;
  return text[place - 1] === "\r" ? "\r\n" : "\n";
}
