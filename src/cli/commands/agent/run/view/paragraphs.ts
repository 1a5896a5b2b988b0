import type { Screen } from "../../../../command-line/screen/screen.ts";
import { wrapped } from "../../../../command-line/screen/text.ts";

/** Turns what comes in pieces into paragraphs: each ends its line, and an empty line stands between two of them. */
export interface Paragraphs {
  /** Counts paragraphs: another number means that something else was shown since. */
  readonly paragraph: number;
  /** Adds a piece of running text; a paragraph of its own unless text was the last thing. */
  text(piece: string): void;
  /** Starts a paragraph with these lines. */
  block(...lines: readonly string[]): void;
  /** Starts a paragraph that notes belong to. */
  cell(...lines: readonly string[]): void;
  /** Adds lines to the present paragraph. */
  add(...lines: readonly string[]): void;
  /** Adds a text below the present cell, broken between words; where there is none it is a paragraph. */
  note(text: string): void;
}

/** Paragraphs for a screen. */
export function paragraphsOn({ write, print, width }: Pick<Screen, "write" | "print" | "width">): Paragraphs {
  /** How many line ends came last; nothing at all needs no space before it. */
  let lineEnds = 2;
  let isText = false;
  let isCell = false;
  let paragraph = 0;
  const space = (wanted: number): void => {
    if (lineEnds < wanted) write("\n".repeat(wanted - lineEnds));
    lineEnds = Math.max(lineEnds, wanted);
  };
  const add = (...lines: readonly string[]): void => {
    isText = false;
    if (lines.length === 0) return;
    space(1);
    print(...lines);
    lineEnds = 1;
  };
  const block = (...lines: readonly string[]): void => {
    isCell = false;
    paragraph += 1;
    space(2);
    add(...lines);
  };
  return {
    get paragraph() {
      return paragraph;
    },
    text: (piece) => {
      const shown = isText ? piece : piece.trimStart();
      if (shown === "") return;
      if (!isText) {
        space(2);
        paragraph += 1;
      }
      isText = true;
      isCell = false;
      write(shown);
      const { length } = /\n*$/.exec(shown)?.[0] ?? "";
      lineEnds = length === shown.length ? lineEnds + length : length;
    },
    block,
    cell: (...lines) => {
      block(...lines);
      isCell = true;
    },
    add,
    note: (text) => {
      if (isCell) add(`  ${wrapped(text, width - 4).replaceAll("\n", "\n    ")}`);
      else block(wrapped(text, width));
    },
  };
}
