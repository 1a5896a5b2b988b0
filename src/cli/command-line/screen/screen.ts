import { stripVTControlCharacters } from "node:util";
import { columns, wrapped } from "../../../terminal/layout.ts";
import { type Paint, paint, wantsColours } from "../../../terminal/paint.ts";

export { type Paint, paint, wantsColours } from "../../../terminal/paint.ts";

export interface Screen {
  readonly paint: Paint;
  readonly paintError: Paint;
  /** Columns for text, without the margin at one side; infinite in a pipe. */
  readonly width: number;
  /** Lines; infinite in a pipe. */
  readonly height: number;
  /** True when the user can be asked. */
  readonly interactive: boolean;
  /** True when nothing may be drawn that goes away again: progress and spinners. */
  readonly quiet?: boolean;
  /** Prints lines to stdout. On a terminal they get a margin, unless they have one, and break between words. */
  print(...lines: readonly string[]): void;
  /** Prints warnings and errors to stderr. */
  tell(...lines: readonly string[]): void;
  /** Writes to stdout without ending the line. */
  write(text: string): void;
  json(value: unknown): void;
  /** Prints one of many JSON values, each on its own line. */
  jsonLine(value: unknown): void;
}

/** The most columns of a table in a pipe: a program may read it, and somebody may page it. */
const MOST_COLUMNS = 120;

/** The same screen, in a pipe no wider than a page. */
export function pageWide(screen: Screen): Screen {
  return Number.isFinite(screen.width) ? screen : { ...screen, width: MOST_COLUMNS };
}

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: { readonly isTTY?: boolean };
}

export function processScreen(
  environment: NodeJS.ProcessEnv = process.env,
  { stdout, stderr, stdin }: Streams = process,
): Screen {
  // A terminal that does not know its size says 0.
  return {
    paint: paint(wantsColours(stdout.isTTY === true, environment)),
    paintError: paint(wantsColours(stderr.isTTY === true, environment)),
    get width() {
      return textColumns(stdout);
    },
    get height() {
      return stdout.isTTY === true ? stdout.rows || 24 : Number.POSITIVE_INFINITY;
    },
    interactive: stdin.isTTY === true && stdout.isTTY === true,
    // None of them returns anything: what a command returns is its exit code, and many end with what they print.
    print: linePrinter(stdout),
    tell: linePrinter(stderr),
    write: (text) => void stdout.write(text),
    jsonLine: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
}

/** What a terminal has at its sides. */
const MARGIN = 2;
const FEWEST_COLUMNS = 40;

function textColumns({ isTTY, columns: all }: Output): number {
  return isTTY === true ? Math.max(FEWEST_COLUMNS, all || 80) - MARGIN : Number.POSITIVE_INFINITY;
}

/**
 * Writes lines that were made for the width of a stream's text. Where a command begins at the edge, everything that it
 * prints from there on moves by the margin, so that lines below each other stay so.
 */
function linePrinter(stream: Output): (...printed: readonly string[]) => void {
  let isAtEdge = false;
  return (...printed) => {
    const width = textColumns(stream);
    const lines = printed.flatMap((text) => text.split("\n"));
    isAtEdge ||= lines.some((line) => /^\S/.test(stripVTControlCharacters(line)));
    const margin = Number.isFinite(width) && isAtEdge ? " ".repeat(MARGIN) : "";
    const shown = lines.map((line) => {
      const moved = line === "" ? line : `${margin}${line}`;
      return `${columns(moved) > width + MARGIN ? wrapped(moved, width + MARGIN) : moved}\n`;
    });
    stream.write(shown.join(""));
  };
}
