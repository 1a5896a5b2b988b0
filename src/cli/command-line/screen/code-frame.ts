import { readRegularFile } from "../../../node/files/regular-file.ts";
import { columns, cut, dim, hanging, harmlessName, red, wrapped } from "./text.ts";

/** Where something is wrong, as far as that is known. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

const MOST_BYTES = 1_000_000;
/** Less room than this beside a mark is too little for a sentence. */
const LEAST_ROOM = 30;

/**
 * The line of a file with a mark at a place and what is to be said about it, and the line before, for a terminal.
 * `undefined` when the file does not have that place any more.
 */
export function codeFrame(
  { file, line = 0, column = 1 }: Place,
  message: string,
  width: number,
): readonly string[] | undefined {
  if (line === 0 || !Number.isFinite(width)) return undefined;
  const all = linesOf(file);
  const text = all[line - 1];
  if (text === undefined) return undefined;
  const digits = String(line).length;
  const bar = dim("│");
  const before = (number: string): string => `  ${dim(number.padStart(digits))} ${bar} `;
  const edge = columns(before(""));
  const source = (at: number): string =>
    `${before(String(at))}${cut(shown(all[at - 1] ?? ""), width - edge)}`;
  const mark = `${" ".repeat(columns(shown(text.slice(0, column - 1))))}^`;
  const room = width - edge - columns(mark) - 1;
  const said =
    room < LEAST_ROOM
      ? [`${before("")}${red(cut(mark, width - edge))}`, wrapped(message, width, " ".repeat(edge))]
      : [hanging(`${before("")}${red(mark)} `, message, width, edge + columns(mark) + 1)];
  const above = (all[line - 2] ?? "").trim() === "" ? [] : [source(line - 1)];
  return ["", ...above, source(line), ...said, ""];
}

function linesOf(file: string): readonly string[] {
  try {
    return readRegularFile(file, MOST_BYTES).toString().split(/\r?\n/);
  } catch {
    return [];
  }
}

/** One column for each character, so that the mark points at the right one. */
function shown(text: string): string {
  return harmlessName(text.replaceAll("\t", " "));
}
