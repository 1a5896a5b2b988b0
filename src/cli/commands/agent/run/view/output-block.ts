import { stripVTControlCharacters } from "node:util";
import { counted, cut, harmless } from "../../../../command-line/screen/text.ts";

/** The first lines are shown live; of the rest, the last few at the end. */
const FIRST = 12;
const LAST = 4;
const LONGEST_LINE = 400;

type Stream = "stdout" | "stderr";

/** The output of a running program, at most a screenful. */
export interface OutputBlock {
  /** True once there is a line. */
  readonly any: boolean;
  add(text: string, stream: Stream): void;
  /** Shows the rest. */
  end(): void;
}

export function outputBlock(print: (line: string) => void): OutputBlock {
  const parts = { stdout: "", stderr: "" };
  const last: string[] = [];
  let lines = 0;
  const take = (line: string): void => {
    lines += 1;
    if (lines <= FIRST) print(shownLine(line));
    else if (last.push(line) > LAST) last.shift();
  };
  return {
    get any() {
      return lines > 0;
    },
    add(text, stream) {
      const [first = "", ...rest] = text.split(/\r\n|\n|\r(?!$)/);
      parts[stream] = (parts[stream] + first).slice(0, LONGEST_LINE * 2);
      for (const part of rest) {
        take(parts[stream]);
        parts[stream] = part.slice(0, LONGEST_LINE * 2);
      }
    },
    end() {
      for (const stream of ["stdout", "stderr"] as const) {
        if (parts[stream] !== "") take(parts[stream]);
        parts[stream] = "";
      }
      const left = lines - FIRST - last.length;
      if (left > 0) print(`  … ${counted(left, "line")} more`);
      for (const line of last.splice(0)) print(shownLine(line));
    },
  };
}

/** Removes colours and makes the line safe to show. */
function shownLine(line: string): string {
  const plain = harmless(stripVTControlCharacters(line.replace(/\r$/, "")));
  return `  | ${cut(plain, LONGEST_LINE)}`.trimEnd();
}
