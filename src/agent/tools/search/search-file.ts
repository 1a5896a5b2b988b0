import { firstCharacters } from "../../../core/base/text.ts";
import type { ToolContext } from "../../../core/contracts/tool.ts";
import { chunksOf, describeBinary, lineSplitter } from "../files/file-text.ts";
import { openFile } from "../files/open-file.ts";
import type { Place } from "../files/workspace.ts";

const LONGEST_LINE = 500;

export interface LineSearch {
  readonly test: (line: string) => boolean;
  /** Context lines before and after a match. */
  readonly before: number;
  readonly after: number;
  /** Stop after this many lines; 0 counts the matches only. */
  readonly most: number;
}

export interface FileMatches {
  readonly count: number;
  readonly lines: readonly FoundLine[];
}

export interface FoundLine {
  readonly number: number;
  readonly text: string;
  /** False for a context line. */
  readonly fits: boolean;
}

/**
 * The matching lines of a file with their context; none for a binary file. Reads in chunks. Throws when the file can't
 * be read.
 */
export async function searchFile(
  place: Place,
  search: LineSearch,
  context: ToolContext,
): Promise<FileMatches> {
  const handle = await openFile(place, context);
  try {
    const splitter = lineSplitter();
    const { take, matches } = lineTaker(search);
    let begun = false;
    for await (const chunk of chunksOf(handle, context.signal)) {
      if (!begun && describeBinary(chunk) !== undefined) break;
      begun = true;
      if (take(splitter.push(chunk))) return matches;
    }
    take(splitter.end());
    return matches;
  } finally {
    await handle.close();
  }
}

function lineTaker({ test, before, after, most }: LineSearch) {
  const matches = { count: 0, lines: Array.of<FoundLine>() };
  const last: FoundLine[] = [];
  let number = 0;
  let following = 0;
  const keep = (line: string, fits: boolean): void => {
    if (fits || following > 0) {
      following = fits ? after : following - 1;
      matches.lines.push(...last.splice(0), shown(number, line, fits));
    } else if (before > 0) {
      last.push(shown(number, line, false));
      if (last.length > before) last.shift();
    }
  };
  /** Takes lines in order; returns true when no more are wanted. */
  const take = (lines: readonly string[]): boolean => {
    for (const line of lines) {
      number += 1;
      const fits = test(line);
      if (fits) matches.count += 1;
      if (most > 0) keep(line, fits);
      if (most > 0 && matches.lines.length >= most) return true;
    }
    return false;
  };
  return { take, matches };
}

function shown(number: number, line: string, fits: boolean): FoundLine {
  const text = line.length > LONGEST_LINE ? `${firstCharacters(line, LONGEST_LINE)}…` : line;
  return { number, text, fits };
}
