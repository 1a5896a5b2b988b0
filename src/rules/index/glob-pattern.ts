import type { GlobKind } from "../../core/match/glob.ts";
import type { Pattern } from "./pattern.ts";
import { classTexts } from "./regex-class.ts";

const ANY: Pattern = { type: "any" };
/** Characters that mean themselves; a slash stays by itself, since `**` may take it away. */
const PLAIN_RUN = /[A-Za-z0-9 _.@:;=~"'#%&<>()+|^$-]+/y;

interface Reader {
  readonly source: string;
  readonly kind: GlobKind;
  at: number;
}

/** Reads a glob as far as the index needs it, by the rules of `compileGlob`. */
export function globPattern(source: string, kind: GlobKind): Pattern {
  const reader: Reader = { source, kind, at: 0 };
  return sequence(reader, false);
}

function sequence(reader: Reader, insideBraces: boolean): Pattern {
  const parts: Pattern[] = [];
  while (reader.at < reader.source.length) {
    const char = reader.source[reader.at];
    if (insideBraces && (char === "," || char === "}")) break;
    if (char === "*") star(reader, parts);
    else if (char === "?") parts.push(take(reader, ANY));
    else if (char === "[") parts.push(characterClass(reader));
    else if (char === "{") parts.push(braces(reader));
    else parts.push(literal(reader));
  }
  return { type: "sequence", parts };
}

function take(reader: Reader, pattern: Pattern): Pattern {
  reader.at += 1;
  return pattern;
}

function literal(reader: Reader): Pattern {
  PLAIN_RUN.lastIndex = reader.at;
  const run = PLAIN_RUN.exec(reader.source)?.[0];
  if (run !== undefined) {
    reader.at += run.length;
    return { type: "text", text: run };
  }
  if (reader.source[reader.at] === "\\" && reader.at + 1 < reader.source.length) reader.at += 1;
  const code = reader.source.codePointAt(reader.at) ?? 0;
  reader.at += code > 0xffff ? 2 : 1;
  return { type: "text", text: String.fromCodePoint(code) };
}

function star(reader: Reader, parts: Pattern[]): void {
  const start = reader.at;
  while (reader.source[reader.at] === "*") reader.at += 1;
  const crosses = reader.kind === "path" && reader.at - start > 1;
  // In a path the slash beside `**` may be missing from the text, so it is not required.
  if (crosses && reader.source[reader.at] === "/") reader.at += 1;
  else if (crosses && reader.at === reader.source.length && reader.source[start - 1] === "/") parts.pop();
  parts.push(ANY);
}

function characterClass(reader: Reader): Pattern {
  const { source, at } = reader;
  const negated = source[at + 1] === "!" || source[at + 1] === "^";
  const first = at + (negated ? 2 : 1);
  let end = first;
  while (end < source.length && (source[end] !== "]" || end === first)) end += source[end] === "\\" ? 2 : 1;
  reader.at = end + 1;
  const texts = negated ? undefined : classTexts(source.slice(first, end));
  return texts === undefined
    ? ANY
    : { type: "choice", options: texts.map((text) => ({ type: "text", text })) };
}

function braces(reader: Reader): Pattern {
  reader.at += 1;
  const options: Pattern[] = [];
  for (;;) {
    options.push(sequence(reader, true));
    const closed = reader.source[reader.at] !== ",";
    reader.at += 1;
    if (closed) return { type: "choice", options };
  }
}
