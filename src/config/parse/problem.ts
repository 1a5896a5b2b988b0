import { type ErrorCode, TenterhookError } from "../../core/base/errors.ts";

export type ProblemCode = Extract<ErrorCode, `config_${string}`>;

/** A position in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A position in a named file. */
export interface Place extends Position {
  readonly file: string;
}

/** A warning about a configuration file, which stops nothing. */
export interface Warning extends Partial<Position> {
  readonly file: string;
  /** What is wrong and how to fix it, without the position. */
  readonly message: string;
}

/** Something wrong in a configuration file. */
export interface Problem extends Warning {
  readonly code: ProblemCode;
}

/** An invalid configuration, with everything that is wrong. */
export class ConfigError extends TenterhookError {
  readonly problems: readonly Problem[];
  /** Warnings about the files, as far as they could be read. */
  readonly warnings: readonly Warning[];

  constructor(problems: readonly Problem[], warnings: readonly Warning[] = []) {
    const codes = new Set(problems.map(({ code }) => code));
    const [only] = codes;
    super(codes.size === 1 && only !== undefined ? only : "config_invalid", messageOf(problems));
    this.name = "ConfigError";
    this.problems = problems;
    this.warnings = warnings;
  }
}

/** A problem or a warning as one line: `file:line:column: message`. */
export function problemText({ file, line, column, message }: Warning): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return `${place}: ${message}`;
}

/** The problems of an error that was caught; any other error is thrown again. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof ConfigError) return error.problems;
  throw error;
}

/** How many problems a message lists; the error itself has all. */
const MOST_SHOWN = 100;

function messageOf(problems: readonly Problem[]): string {
  const lines = problems.slice(0, MOST_SHOWN).map(problemText);
  if (problems.length === 1) return lines.join("");
  const more = problems.length > MOST_SHOWN ? [`and ${problems.length - MOST_SHOWN} more`] : [];
  const list = [...lines, ...more].map((line) => `- ${line}`).join("\n");
  return `The configuration has ${problems.length} problems:\n${list}`;
}

/** Problems of one file together and by line; files in the order they were first named. */
export function inOrder<Told extends Warning>(problems: readonly Told[]): readonly Told[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  return problems.toSorted((one, other) => {
    const ofFile = files.indexOf(one.file) - files.indexOf(other.file);
    return ofFile || (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
  });
}
