import { stripVTControlCharacters } from "node:util";
import { columns, type Size, wrapped } from "../../../terminal/layout.ts";
import { type Paint, paint, wantsColours } from "../../../terminal/paint.ts";
import type { Block, Report } from "./report.ts";

export interface Screen {
  /** For what is drawn by something else than `print`. */
  readonly paint: Paint;
  /** Columns for text, without the margin at one side; infinite in a pipe. */
  readonly width: number;
  /** Lines; infinite in a pipe. */
  readonly height: number;
  /** True when the user can be asked. */
  readonly interactive: boolean;
  /** True when nothing may be drawn that goes away again: progress and spinners. */
  readonly quiet?: boolean;
  /** Prints to stdout. On a terminal, lines get a margin, unless they have one, and break between words. */
  print(...blocks: readonly Block[]): void;
  /** Prints warnings and errors to stderr. */
  tell(...blocks: readonly Block[]): void;
  /** Writes to stdout without ending the line. */
  write(text: string): void;
  json(value: unknown): void;
  /** Prints one of many JSON values, each on its own line. */
  jsonLine(value: unknown): void;
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
  const hasColours = ({ isTTY }: Output): boolean => wantsColours(isTTY === true, environment);
  return {
    paint: paint(hasColours(stdout)),
    get width() {
      return sizeOf(stdout).width;
    },
    get height() {
      return sizeOf(stdout).height;
    },
    interactive: stdin.isTTY === true && stdout.isTTY === true,
    print: printer(stdout, hasColours(stdout)),
    tell: printer(stderr, hasColours(stderr)),
    write: (text) => void stdout.write(text),
    jsonLine: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
}

/** What a terminal has at its sides. */
const MARGIN = 2;
const FEWEST_COLUMNS = 40;

/** Of the text; a terminal that does not know its size says 0. */
function sizeOf({ isTTY, columns: all, rows }: Output): Size {
  return isTTY === true
    ? { width: Math.max(FEWEST_COLUMNS, all || 80) - MARGIN, height: rows || 24 }
    : { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
}

/**
 * Lays blocks out. Where a command begins at the edge, everything that it prints from there on moves by the margin, so that
 * lines below each other stay so.
 */
function printer(stream: Output, hasColours: boolean): (...blocks: readonly Block[]) => void {
  let isAtEdge = false;
  return (...blocks) => {
    const size = sizeOf(stream);
    const lines = linesOf(blocks, size)
      .flatMap((text) => text.split("\n"))
      .flatMap((line) => (columns(line) > size.width ? wrapped(line, size.width).split("\n") : line));
    isAtEdge ||= lines.some((line) => /^\S/.test(stripVTControlCharacters(line)));
    const margin = Number.isFinite(size.width) && isAtEdge ? " ".repeat(MARGIN) : "";
    const shown = lines.map((line) => (line === "" ? "\n" : `${margin}${line}\n`)).join("");
    stream.write(hasColours ? shown : stripVTControlCharacters(shown));
  };
}

function linesOf(block: Block, size: Size): readonly string[] {
  if (block === undefined || block === false) return [];
  if (typeof block === "string") return [block];
  return typeof block === "function" ? block(size) : block.flatMap((one) => linesOf(one, size));
}

/** Prints what a command returned. Returns its exit code. */
export function printReport(
  { blocks, json, code }: Report,
  to: { readonly screen: Screen; readonly json: boolean },
): number | undefined {
  if (to.json) to.screen.json(json);
  else to.screen.print(blocks);
  return code;
}
