type Piece = string | typeof ONE | typeof RUN | typeof CROSS;

const ONE = Symbol("one character of a segment");
const RUN = Symbol("any characters of a segment");
const CROSS = Symbol("any characters");
/** No file system has longer paths; beyond it the answer is the careful one. */
const LONGEST = 4096;
const PIECES = /\*\*+\/?|\*|\?|\[[!^]?\]?[^\]]*\]|\{[^{}]*\}|\\.|[\s\S]/gu;

/** True for a path that names several files, as a shell reads it: `.e*`, `/etc/shad?w`. */
export function hasWildcard(path: string): boolean {
  return /[*?[]/.test(path);
}

/**
 * True when some path fits both globs for paths, as far as can be told: a class counts as any character and a choice
 * as any text, so the answer may be true too often, never too rarely. Takes time in the product of their lengths.
 */
export function globsOverlap(first: string, second: string, ignoreCase: boolean): boolean {
  if (first.length > LONGEST || second.length > LONGEST) return true;
  const a = piecesOf(ignoreCase ? first.toLowerCase() : first);
  const b = piecesOf(ignoreCase ? second.toLowerCase() : second);
  const width = b.length + 1;
  const seen = new Uint8Array((a.length + 1) * width);
  const pending = [0];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (seen[place] === 1) continue;
    seen[place] = 1;
    const one = a[Math.floor(place / width)];
    const other = b[place % width];
    if (one === undefined && other === undefined) return true;
    // A run may end here, or take in what the other glob has next.
    if (isRun(one)) pending.push(place + width);
    if (isRun(other)) pending.push(place + 1);
    if (one === undefined || other === undefined || !compatible(one, other)) continue;
    if (!isRun(one) && !isRun(other)) pending.push(place + width + 1);
    else if (!isRun(one)) pending.push(place + width);
    else if (!isRun(other)) pending.push(place + 1);
  }
  return false;
}

function piecesOf(glob: string): readonly Piece[] {
  // A last `/**` also fits the folder itself, so the slash before it may be missing.
  return (glob.replace(/\/\*\*$/, "**").match(PIECES) ?? []).map((piece): Piece => {
    if (piece.startsWith("**") || (piece.startsWith("{") && piece.length > 1)) return CROSS;
    if (piece === "*") return RUN;
    if (piece === "?" || (piece.startsWith("[") && piece.length > 1)) return ONE;
    return piece.length === 2 && piece.startsWith("\\") ? piece.slice(1) : piece;
  });
}

function isRun(piece: Piece | undefined): boolean {
  return piece === RUN || piece === CROSS;
}

/** Could both pieces be the same character? A slash is only itself or part of what crosses. */
function compatible(one: Piece, other: Piece): boolean {
  if (one === CROSS || other === CROSS) return true;
  if (typeof one === "string" && typeof other === "string") return one === other;
  return one !== "/" && other !== "/";
}
