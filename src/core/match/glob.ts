import { foldCase } from "../base/text.ts";
import { type GlobKind, type GlobPart, parseGlob } from "./parse-glob.ts";

/** How a glob is read. */
export interface GlobOptions {
  readonly kind: GlobKind;
  /** Upper and lower case are the same letter. */
  readonly ignoreCase?: boolean;
}

/**
 * Compiles a glob to a test that takes time linear in the text, whatever the pattern: each part of it goes once from all
 * the places where it can begin to those where it can end.
 *
 * `*` any run of characters, `?` one character, `**` any run across `/`, `[a-z]` and `[!a-z]`, `{a,b}`, `\` takes
 * the next character as it is. In a path, `a/**` also fits `a` itself, and a leading dot is nothing special.
 *
 * @throws TenterhookError `bad_pattern` for an unclosed `[` or `{` and for a pattern over 4,096 characters.
 */
export function compileGlob(pattern: string, options: GlobOptions): (text: string) => boolean {
  const fold = options.ignoreCase === true;
  if (!/[*?[\]{}\\]/.test(pattern)) {
    const folded = foldCase(pattern);
    return fold ? (text) => foldCase(text) === folded : (text) => text === pattern;
  }
  const parse = () => parseGlob(pattern, options.kind);
  const needed = fold ? foldCase(neededText(pattern)) : neededText(pattern);
  // Guards have hundreds of globs, and a call fits few of them: most are ruled out without being read.
  let parts = SURELY_READABLE.test(pattern) ? undefined : parse();
  return (given) => {
    const text = fold ? foldCase(given) : given;
    if (!text.includes(needed)) return false;
    parts ??= parse();
    return fits(parts, text, { isPath: options.kind === "path", fold });
  };
}

/** A glob of moderate length without classes, escapes and nested braces: nothing in it can be left open. */
const SURELY_READABLE = /^(?=.{0,1000}$)[^[\]{}\\]*(?:\{[^[\]{}\\]*\}[^[\]{}\\]*)*$/s;

/**
 * The longest text that is in everything that a glob fits. Slashes at its ends don't count: the path `a/**` fits `a`.
 */
function neededText(pattern: string): string {
  const [plain = ""] = /^[^[\]{}\\]*/.exec(pattern) ?? [];
  const texts = plain.split(/[*?]/).map((text) => text.replace(/^\/+|\/+$/g, ""));
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}

/**
 * Compiles a glob for file paths. A pattern without a slash looks at the file name alone, so `*.py` fits at any
 * depth.
 */
export function compilePathGlob(pattern: string, ignoreCase = false): (path: string) => boolean {
  const test = compileGlob(pattern, { kind: "path", ignoreCase });
  if (pattern.includes("/")) return test;
  return (path) => test(path.slice(path.lastIndexOf("/") + 1));
}

const SLASH = 0x2f;

function fits(parts: readonly GlobPart[], text: string, given: PartOptions): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return endsOf(parts, codes, new Set([0]), given).has(codes.length);
}

interface PartOptions {
  /** `*` and the like stay inside a segment. */
  readonly isPath: boolean;
  /** The text is folded. */
  readonly fold: boolean;
}

type Places = ReadonlySet<number>;

/** Where parts can end in a text when they begin at one of some places. */
function endsOf(
  parts: readonly GlobPart[],
  text: readonly number[],
  starts: Places,
  options: PartOptions,
): Places {
  let places = starts;
  for (const part of parts) {
    if (places.size === 0) return places;
    places = endsOfPart(part, text, places, options);
  }
  return places;
}

function endsOfPart(part: GlobPart, text: readonly number[], starts: Places, options: PartOptions): Places {
  switch (part.type) {
    case "character":
    case "one":
    case "class":
      return new Set([...starts].flatMap((at) => (isOne(part, text[at], options) ? [at + 1] : [])));
    case "run":
      return runsFrom(starts, text, options.isPath);
    case "cross":
      return runsFrom(starts, text, false);
    case "folders": {
      const after = [...runsFrom(starts, text, false)].flatMap((at) => (text[at] === SLASH ? [at + 1] : []));
      return new Set([...starts, ...after]);
    }
    case "below": {
      const after = [...starts].flatMap((at) => (text[at] === SLASH ? [at + 1] : []));
      return new Set([...starts, ...runsFrom(after, text, false)]);
    }
    case "choice":
      return new Set(part.options.flatMap((option) => [...endsOf(option, text, starts, options)]));
    default:
      return part satisfies never;
  }
}

/** The places that any characters lead to, no slash if `inSegment`. */
function runsFrom(starts: Iterable<number>, text: readonly number[], inSegment: boolean): Places {
  const places = new Set<number>();
  for (const start of starts)
    for (let at = start; at <= text.length && !places.has(at); at += 1) {
      places.add(at);
      if (inSegment && text[at] === SLASH) break;
    }
  return places;
}

type OnePart = Extract<GlobPart, { type: "character" | "one" | "class" }>;

function isOne(part: OnePart, code: number | undefined, { isPath, fold }: PartOptions): boolean {
  if (code === undefined) return false;
  if (part.type === "character") return code === (fold ? foldCode(part.code) : part.code);
  if (isPath && code === SLASH) return false;
  if (part.type === "one") return true;
  // Any case of a character may be in the class.
  return (inRanges(part.ranges, code) || (fold && inRanges(part.ranges, upperCase(code)))) !== part.negated;
}

function foldCode(code: number): number {
  return foldCase(String.fromCodePoint(code)).codePointAt(0) ?? code;
}

function inRanges(ranges: readonly (readonly [number, number])[], code: number): boolean {
  return ranges.some(([low, high]) => code >= low && code <= high);
}

function upperCase(code: number): number {
  return String.fromCodePoint(code).toUpperCase().codePointAt(0) ?? code;
}
