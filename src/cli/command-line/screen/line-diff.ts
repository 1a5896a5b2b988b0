/** A line of a difference: gone, new, around either, or `…` for lines in between that are the same. */
export interface DiffLine {
  readonly mark: "-" | "+" | " " | "…";
  readonly text: string;
}

const CONTEXT = 3;

/** Comparisons beyond which what differs is shown as replaced whole. */
const MOST_CELLS = 4_000_000;

/** What differs between two texts, line by line, with a few lines around it. Empty when nothing does. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const all = allLines(before.split("\n"), after.split("\n"));
  const changed = all.flatMap(({ mark }, at) => (mark === " " ? [] : [at]));
  const shown = new Set(
    changed.flatMap((at) => Array.from({ length: 2 * CONTEXT + 1 }, (_, near) => at - CONTEXT + near)),
  );
  let skipped = 0;
  const lines: DiffLine[] = [];
  const skip = (): void => {
    if (skipped > 0 && changed.length > 0)
      lines.push({ mark: "…", text: `${skipped} ${skipped === 1 ? "line" : "lines"} as before` });
    skipped = 0;
  };
  for (const [at, line] of all.entries()) {
    if (!shown.has(at)) skipped += 1;
    else {
      skip();
      lines.push(line);
    }
  }
  skip();
  return lines;
}

function allLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (text: string): DiffLine => ({ mark: " ", text });
  return [
    ...before.slice(0, start).map(same),
    ...between(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** The lines of both by their longest common sequence. */
function between(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const gone = (text: string): DiffLine => ({ mark: "-", text });
  const added = (text: string): DiffLine => ({ mark: "+", text });
  if (before.length * after.length > MOST_CELLS) return [...before.map(gone), ...after.map(added)];
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const common = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        before[i] === after[j] ? common(i + 1, j + 1) + 1 : Math.max(common(i + 1, j), common(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old = "", now = ""] = [before[i], after[j]];
    if (i < before.length && j < after.length && old === now) {
      lines.push({ mark: " ", text: old });
      i += 1;
      j += 1;
    } else if (i < before.length && (j === after.length || common(i + 1, j) >= common(i, j + 1))) {
      lines.push(gone(old));
      i += 1;
    } else {
      lines.push(added(now));
      j += 1;
    }
  }
  return lines;
}
