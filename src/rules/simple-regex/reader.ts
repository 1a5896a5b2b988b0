/** Thrown for everything that is not simple; {@link readExpression} catches it. */
export class NotSimple extends Error {}

/** An expression that is being read, as far as `at`. */
export interface Reader {
  readonly source: string;
  ignoreCase: boolean;
  /** Set with the first thing that tells characters beyond ASCII apart. */
  asciiOnly: boolean;
  at: number;
  depth: number;
}

/** Reads the next character, which may be two units of a text; none at the end. */
export function charAt(reader: Reader): string {
  const code = reader.source.codePointAt(reader.at);
  const char = code === undefined ? "" : String.fromCodePoint(code);
  reader.at += char.length;
  return char;
}
