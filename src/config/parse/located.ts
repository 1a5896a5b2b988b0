import { LineCounter } from "yaml";
import { ConfigError, type Position } from "./problem.ts";

/** Keys and list indexes that lead to a value. */
export type ValuePath = readonly (string | number)[];

/** The position of a value and of the values in it. */
export interface Located {
  /** The position of its key; for a list item, of the item. */
  readonly key: Position;
  readonly value: Position;
  readonly inside: ReadonlyMap<string | number, Located>;
}

/** A file as plain data with positions. */
export interface ParsedFile {
  readonly file: string;
  readonly value: unknown;
  readonly located: Located;
}

/** The position of a value or its key; for a missing value, of the nearest thing around it. */
export function positionOf(located: Located, path: ValuePath, part: "key" | "value" = "value"): Position {
  let at = located;
  for (const step of path) {
    const next = at.inside.get(step);
    if (next === undefined) return at.value;
    at = next;
  }
  return at[part];
}

export function positionsIn(text: string): (offset: number) => Position {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) counter.addNewLine(at + 1);
  return (offset) => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
}

export function syntaxError(file: string, position: Position, reason: string): ConfigError {
  return new ConfigError([{ code: "config_syntax", file, ...position, message: sentence(reason) }]);
}

export function duplicateKey(file: string, key: string, again: Position, first: Position): ConfigError {
  return syntaxError(
    file,
    again,
    `The key ${JSON.stringify(key)} is given twice; the first is on line ${first.line}. Keep one of them.`,
  );
}

export function tooDeepError(file: string, position: Position): ConfigError {
  return syntaxError(file, position, "Values are nested too deeply here, or there are too many aliases.");
}

export const NOT_FINITE = "Numbers must be finite.";

/** A key with a special meaning in JavaScript. */
export const FORBIDDEN_KEY = "__proto__";

export function forbiddenKey(file: string, position: Position): ConfigError {
  return syntaxError(file, position, `The key "${FORBIDDEN_KEY}" can't be used. Choose another name.`);
}

function sentence(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return /[.!?]$/.test(line) ? line : `${line.replace(/:$/, "")}.`;
}
