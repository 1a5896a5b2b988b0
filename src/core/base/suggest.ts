/**
 * The known name nearest to a misspelt one, or `undefined` when none is similar enough. Case, `_` and `-` do not count.
 */
export function nearestName(wrong: string, known: Iterable<string>): string | undefined {
  const wanted = plain(wrong);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(wanted, plain(name), bestDistance);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** The names nearest to a misspelt one, the nearest first. */
export function nearestNames(wrong: string, known: Iterable<string>, most: number): readonly string[] {
  const left = new Set(known);
  const near: string[] = [];
  while (near.length < most) {
    const name = nearestName(wrong, left);
    if (name === undefined) break;
    near.push(name);
    left.delete(name);
  }
  return near;
}

/** ` Did you mean "x"?`, ready to follow a sentence, or an empty string. */
export function didYouMean(wrong: string, known: Iterable<string>): string {
  const near = nearestName(wrong, known);
  return near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Insertions, deletions, replacements and swaps of neighbours; `limit` or more is answered with `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replace, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? limit, limit);
}
