import type { FileMatches } from "./search-file.ts";
import type { FoundFile } from "./walk.ts";

/** A file with lines that fit; its name is the one that is shown. */
export interface FileWithMatches extends FoundFile, FileMatches {}

/** How the lines of a file are shown: like grep, `file:12:text`, and `file-11-text` for the lines around. */
export function contentLines(
  { name, lines }: FileWithMatches,
  { numbers, around }: { readonly numbers: boolean; readonly around: boolean },
): readonly string[] {
  let last: number | undefined;
  return lines.flatMap(({ number, text, fits }) => {
    const sign = fits ? ":" : "-";
    const line = numbers ? `${name}${sign}${number}${sign}${text}` : `${name}${sign}${text}`;
    const gap = around && last !== undefined && number !== last + 1;
    last = number;
    return gap ? ["--", line] : [line];
  });
}

/** Lines up to a number and a size, and how many are left out. */
export function capped(
  lines: readonly string[],
  most: number,
  characters: number,
): { readonly shown: readonly string[]; readonly left: number } {
  const shown: string[] = [];
  let room = characters;
  for (const line of lines) {
    room -= line.length + 1;
    if (shown.length >= most || room < 0) break;
    shown.push(line);
  }
  return { shown, left: lines.length - shown.length };
}
