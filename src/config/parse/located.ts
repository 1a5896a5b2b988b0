import { ConfigError, type Position } from "./problem.ts";

/** A way into a value: keys of objects and places in lists. */
export type ValuePath = readonly (string | number)[];

/** Where a value stands, and the values in it. */
export interface Located {
  /** Where its key stands; for an item of a list, where the item stands. */
  readonly key: Position;
  readonly value: Position;
  readonly inside: ReadonlyMap<string | number, Located>;
}

/** A file as plain data that knows where everything stands. */
export interface ParsedFile {
  readonly file: string;
  readonly value: unknown;
  readonly located: Located;
}

/** Where the value of a path stands, or its key; of what is not there, where the nearest thing around it stands. */
export function positionOf(located: Located, path: ValuePath, part: "key" | "value" = "value"): Position {
  let at = located;
  for (const step of path) {
    const next = at.inside.get(step);
    if (next === undefined) return at.value;
    at = next;
  }
  return at[part];
}

/** Turns offsets in a text into lines and columns. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** The error of a file that can't be parsed. */
export function syntaxError(file: string, position: Position, reason: string): ConfigError {
  return new ConfigError([{ code: "config_syntax", file, ...position, message: sentence(reason) }]);
}

/** The error of a key that stands twice in one object. */
export function duplicateKey(file: string, key: string, again: Position, first: Position): ConfigError {
  return syntaxError(
    file,
    again,
    `The key ${JSON.stringify(key)} is given twice; it stands on line ${first.line} already. Keep one of them.`,
  );
}

/** The error of values inside values inside values, by brackets or by aliases. */
export function tooDeepError(file: string, position: Position): ConfigError {
  return syntaxError(file, position, "Values are nested too deeply here, or there are too many aliases.");
}

/** Why a number can't be used that no other format can hold. */
export const NOT_FINITE = "Numbers must be finite.";

/** A key that means something else to JavaScript than to whoever wrote it. */
export const FORBIDDEN_KEY = "__proto__";

/** The error of a key that no value can have. */
export function forbiddenKey(file: string, position: Position): ConfigError {
  return syntaxError(file, position, `The key "${FORBIDDEN_KEY}" can't be used. Choose another name.`);
}

function sentence(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return /[.!?]$/.test(line) ? line : `${line.replace(/:$/, "")}.`;
}
