import type { Screen } from "../../../../command-line/screen/screen.ts";
import { wrapped } from "../../../../command-line/screen/text.ts";

/** Turns pieces of output into paragraphs with an empty line between them. */
export interface Paragraphs {
  readonly paragraph: number;
  /** Adds running text; starts a paragraph unless the last output was text. */
  text(piece: string): void;
  /** Starts a paragraph. */
  block(...lines: readonly string[]): void;
  /** Starts a paragraph that can get notes. */
  cell(...lines: readonly string[]): void;
  /** Adds lines to the current paragraph. */
  add(...lines: readonly string[]): void;
  /** Adds a wrapped text to the current cell; without one, starts a paragraph. */
  note(text: string): void;
}

export function paragraphsOn({ write, print, width }: Pick<Screen, "write" | "print" | "width">): Paragraphs {
  /** How many line ends came last; the beginning needs no empty line. */
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
