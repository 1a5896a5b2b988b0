import { type Paint, paint, wantsColours } from "../../../terminal/paint.ts";

export { type Paint, paint, wantsColours } from "../../../terminal/paint.ts";

/** The output of a command. */
export interface Screen {
  /** Colours for stdout. */
  readonly paint: Paint;
  /** Colours for stderr. */
  readonly paintError: Paint;
  /** Columns; infinite in a pipe. */
  readonly width: number;
  /** Lines; infinite in a pipe. */
  readonly height: number;
  /** True when the user can be asked. */
  readonly interactive: boolean;
  /** True when nothing may be drawn that goes away again: progress and spinners. */
  readonly quiet?: boolean;
  /** Prints lines to stdout. */
  print(...lines: readonly string[]): void;
  /** Prints warnings and errors to stderr. */
  tell(...lines: readonly string[]): void;
  /** Writes to stdout without ending the line. */
  write(text: string): void;
  json(value: unknown): void;
  /** Prints one of many JSON values, each on its own line. */
  jsonLine(value: unknown): void;
}

/** What a screen needs of a stream. */
interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** The streams of a process. */
export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: { readonly isTTY?: boolean };
}

/** The screen of this process, or of other streams. */
export function processScreen(
  environment: NodeJS.ProcessEnv = process.env,
  { stdout, stderr, stdin }: Streams = process,
): Screen {
  // A terminal that does not know its size says 0.
  return {
    paint: paint(wantsColours(stdout.isTTY === true, environment)),
    paintError: paint(wantsColours(stderr.isTTY === true, environment)),
    get width() {
      return stdout.isTTY === true ? Math.max(40, stdout.columns || 80) : Number.POSITIVE_INFINITY;
    },
    get height() {
      return stdout.isTTY === true ? stdout.rows || 24 : Number.POSITIVE_INFINITY;
    },
    interactive: stdin.isTTY === true && stdout.isTTY === true,
    // Nothing is returned: what a command returns is its exit code, and many end with what they print.
    print: (...lines) => void stdout.write(lines.map((line) => `${line}\n`).join("")),
    tell: (...lines) => void stderr.write(lines.map((line) => `${line}\n`).join("")),
    write: (text) => void stdout.write(text),
    jsonLine: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
}
