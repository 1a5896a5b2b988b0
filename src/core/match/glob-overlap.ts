import { foldCase } from "../base/text.ts";
import { type GlobPart, parseGlob } from "./parse-glob.ts";

/** A piece of a glob: the code of a character, or one of the kinds below. */
type Piece = number;

/** One character of a segment. */
const ONE = -1;
/** Any characters of a segment. */
const RUN = -2;
/** Any characters. */
const CROSS = -3;
const SLASH = 0x2f;
/** No file system has longer paths; beyond it the answer is the careful one. */
const LONGEST = 4096;

/** A glob taken apart. Every text it fits starts with `prefix` and ends with `suffix`. */
interface GlobShape {
  readonly pieces: Int32Array;
  readonly prefix: string;
  readonly suffix: string;
}

/** `[:alpha:]`, `[=e=]` and `[.-.]` in a bracket of a shell, each of which our globs would end at its own `]`. */
const NAMED_CLASS = /\[([:=.])[^[\]/]*\1\](?=[^/]*\])/g;

/** A glob of a shell with any character in place of each named class. No file system has paths of more than 4,096. */
export function withoutNamedClasses(glob: string): string {
  return glob.length > LONGEST ? glob : glob.replace(NAMED_CLASS, "?");
}

/**
 * True when some path fits both globs for paths, as far as can be known: a class counts as any character and a choice
 * as any text, so the answer may be true too often, never too rarely. Takes time in the product of their lengths.
 */
export function globsOverlap(first: string, second: string, ignoreCase: boolean): boolean {
  return compileOverlap(first, ignoreCase)(second);
}

/** The same for a glob that many others are compared with: it is taken apart once. */
export function compileOverlap(glob: string, ignoreCase: boolean): (other: string) => boolean {
  if (glob.length > LONGEST) return () => true;
  let shape: GlobShape | undefined;
  return (other) => {
    if (other.length > LONGEST) return true;
    shape ??= shapeOf(ignoreCase ? foldCase(glob) : glob);
    const otherShape = rememberedShape(ignoreCase ? foldCase(other) : other);
    return endsAgree(shape, otherShape) && piecesOverlap(shape.pieces, otherShape.pieces);
  };
}

/** Every rule asks about the same few hundred paths of an event. */
const MOST_REMEMBERED = 4_096;
const LONGEST_REMEMBERED = 256;
const remembered = new Map<string, GlobShape>();

function rememberedShape(glob: string): GlobShape {
  if (glob.length > LONGEST_REMEMBERED) return shapeOf(glob);
  let shape = remembered.get(glob);
  if (shape === undefined) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    shape = shapeOf(glob);
    remembered.set(glob, shape);
  }
  return shape;
}

function shapeOf(glob: string): GlobShape {
  const pieces = parseGlob(withoutNamedClasses(glob), "path", true).map(pieceOf);
  const first = pieces.findIndex((piece) => piece < 0);
  const last = pieces.findLastIndex((piece) => piece < 0);
  return {
    pieces: Int32Array.from(pieces),
    prefix: String.fromCodePoint(...(first === -1 ? pieces : pieces.slice(0, first))),
    suffix: String.fromCodePoint(...pieces.slice(last + 1)),
  };
}

function endsAgree(a: GlobShape, b: GlobShape): boolean {
  return (
    (a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix)) &&
    (a.suffix.endsWith(b.suffix) || b.suffix.endsWith(a.suffix))
  );
}

let reached = new Uint8Array(1_024);

/** Walks both globs side by side; a place in the table is how far each of them got. */
function piecesOverlap(a: Int32Array, b: Int32Array): boolean {
  const width = b.length + 1;
  const size = (a.length + 1) * width;
  if (reached.length < size) reached = new Uint8Array(size);
  else reached.fill(0, 0, size);
  reached[0] = 1;
  for (let place = 0; place < size - 1; place += 1) {
    if (reached[place] !== 1) continue;
    const one = a[Math.floor(place / width)];
    const other = b[place % width];
    // A run may end here, or take in what the other glob has next.
    if (isRun(one)) reached[place + width] = 1;
    if (isRun(other)) reached[place + 1] = 1;
    if (one === undefined || other === undefined || !compatible(one, other)) continue;
    if (!isRun(one)) reached[isRun(other) ? place + width : place + width + 1] = 1;
    else if (!isRun(other)) reached[place + 1] = 1;
  }
  return reached[size - 1] === 1;
}

function pieceOf(part: GlobPart): Piece {
  switch (part.type) {
    case "character":
      return part.code;
    case "one":
    case "class":
      return ONE;
    case "run":
      return RUN;
    default:
      return CROSS;
  }
}

function isRun(piece: Piece | undefined): boolean {
  return piece === RUN || piece === CROSS;
}

/** Could both pieces be the same character? A slash is only itself or part of what crosses. */
function compatible(one: Piece, other: Piece): boolean {
  if (one === CROSS || other === CROSS) return true;
  if (one >= 0 && other >= 0) return one === other;
  return one !== SLASH && other !== SLASH;
}
