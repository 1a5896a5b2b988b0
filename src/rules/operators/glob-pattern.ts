import { type GlobKind, type GlobPart, type GlobRange, parseGlob } from "../../core/match/parse-glob.ts";
import type { Pattern } from "./pattern.ts";

const ANY: Pattern = { type: "any" };
const MOST_CHARACTERS = 8;

/** What is not just itself in a glob. */
const SPECIAL = /[*?[{\\]/;

/** Reads a glob as far as the index needs it. */
export function globPattern(source: string, kind: GlobKind): Pattern {
  // Most are plain names and paths, and to read one by its characters takes long.
  return SPECIAL.test(source) ? sequence(parseGlob(source, kind, true)) : { type: "text", text: source };
}

function sequence(globParts: readonly GlobPart[]): Pattern {
  const parts: Pattern[] = [];
  let text = "";
  const endText = (): void => {
    if (text !== "") parts.push({ type: "text", text });
    text = "";
  };
  for (const part of globParts) {
    if (part.type === "character") text += String.fromCodePoint(part.code);
    else {
      endText();
      if (part.type === "choice") parts.push({ type: "choice", options: part.options.map(sequence) });
      else parts.push(part.type === "class" && !part.negated ? classPattern(part.ranges) : ANY);
    }
  }
  endText();
  return { type: "sequence", parts };
}

function classPattern(ranges: readonly GlobRange[]): Pattern {
  const codes = new Set<number>();
  for (const [low, high] of ranges) {
    if (high > 0x7f || high - low >= MOST_CHARACTERS) return ANY;
    for (let code = low; code <= high; code += 1) codes.add(code);
  }
  if (codes.size === 0 || codes.size > MOST_CHARACTERS) return ANY;
  return {
    type: "choice",
    options: Array.from(codes, (code) => ({ type: "text", text: String.fromCodePoint(code) })),
  };
}
