/** Where a command shows what it has to say. */
export interface Screen {
  /** Marks for stdout. */
  readonly paint: Paint;
  /** Marks for stderr. */
  readonly paintError: Paint;
  /** Columns; a pipe has no end. */
  readonly width: number;
  /** True when somebody can be asked. */
  readonly interactive: boolean;
  /** Shows lines. */
  print(...lines: readonly string[]): void;
  /** Shows lines beside the result: warnings and errors. */
  tell(...lines: readonly string[]): void;
  /** Shows a piece of text as it is: more of the line may follow. */
  write(text: string): void;
  /** Shows a value for programs. */
  json(value: unknown): void;
  /** Shows one of many values for programs, each on a line of its own. */
  jsonLine(value: unknown): void;
}

/** The screen of this process. */
export function processScreen(environment: NodeJS.ProcessEnv = process.env): Screen {
  const { stdout, stderr, stdin } = process;
  return {
    paint: paint(wantsColours(stdout.isTTY === true, environment)),
    paintError: paint(wantsColours(stderr.isTTY === true, environment)),
    width: stdout.isTTY === true ? Math.max(40, stdout.columns) : Number.POSITIVE_INFINITY,
    interactive: stdin.isTTY === true && stdout.isTTY === true,
    print: (...lines) => stdout.write(lines.map((line) => `${line}\n`).join("")),
    tell: (...lines) => stderr.write(lines.map((line) => `${line}\n`).join("")),
    write: (text) => stdout.write(text),
    jsonLine: (value) => stdout.write(`${JSON.stringify(value)}\n`),
    json: (value) => stdout.write(`${JSON.stringify(value, null, 2)}\n`),
  };
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Marks up a text, or leaves it alone where there are no colours. */
export type Paint = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** True when colours are wanted: on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise. */
export function wantsColours(
  isTerminal: boolean,
  { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv,
): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  return isTerminal && TERM !== "dumb";
}

/** The ways to mark up a text. */
export function paint(enabled: boolean): Paint {
  const mark = (code: number) => (text: string) =>
    enabled && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    bold: mark(CODES.bold),
    dim: mark(CODES.dim),
    red: mark(CODES.red),
    green: mark(CODES.green),
    yellow: mark(CODES.yellow),
    cyan: mark(CODES.cyan),
  };
}
