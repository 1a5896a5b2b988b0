import type { Screen } from "../../screen/screen.ts";

/** Turns what comes in pieces into paragraphs: each ends its line, and an empty line stands between two of them. */
export interface Paper {
  /** Adds a piece of running text; a paragraph of its own unless text was the last thing. */
  text(piece: string): void;
  /** Starts a paragraph with these lines. */
  block(...lines: readonly string[]): void;
  /** Starts a paragraph that notes belong to. */
  cell(...lines: readonly string[]): void;
  /** Adds lines to the present paragraph. */
  add(...lines: readonly string[]): void;
  /** Adds a line below the present cell; where there is none it is a paragraph. */
  note(line: string): void;
}

/** Paper for a screen. */
export function paperFor({ write, print }: Pick<Screen, "write" | "print">): Paper {
  /** How many line ends came last; nothing at all needs no space before it. */
  let lineEnds = 2;
  let isText = false;
  let isCell = false;
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
    space(2);
    add(...lines);
  };
  return {
    text: (piece) => {
      const shown = isText ? piece : piece.trimStart();
      if (shown === "") return;
      if (!isText) space(2);
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
    note: (line) => (isCell ? add(`  ${line}`) : block(line)),
  };
}
