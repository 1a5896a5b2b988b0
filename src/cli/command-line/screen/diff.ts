const AROUND = 3;
/** Longer texts are shown as taken out and put in whole: comparing them line by line would take too long. */
const MOST_LINES = 3000;

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
  /** Its number before and after, counted from 1. */
  readonly before: number;
  readonly after: number;
}

/** What makes one text of another, as a unified diff; empty when they are equal. */
export function unifiedDiff(
  before: string,
  after: string,
  names: readonly [string, string],
): readonly string[] {
  const lines = compared(splitLines(before), splitLines(after));
  const changed = lines.flatMap(({ mark }, index) => (mark === " " ? [] : [index]));
  if (changed.length === 0) return [];
  const shown = [`--- ${names[0]}`, `+++ ${names[1]}`];
  for (let at = 0; at < changed.length; ) {
    const first = changed[at] ?? 0;
    let last = first;
    while (at < changed.length && (changed[at] ?? 0) <= last + 2 * AROUND) {
      last = changed[at] ?? 0;
      at += 1;
    }
    shown.push(...hunk(lines.slice(Math.max(0, first - AROUND), last + AROUND + 1)));
  }
  return shown;
}

function hunk(lines: readonly Line[]): readonly string[] {
  const range = (side: "before" | "after", without: Line["mark"]): string => {
    const own = lines.filter(({ mark }) => mark !== without);
    return `${own[0]?.[side] ?? 0},${own.length}`;
  };
  return [
    `@@ -${range("before", "+")} +${range("after", "-")} @@`,
    ...lines.map(({ mark, text }) => `${mark}${text}`),
  ];
}

function compared(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lengths = before.length > MOST_LINES || after.length > MOST_LINES ? undefined : common(before, after);
  const lines: Line[] = [];
  let [one, other] = [0, 0];
  const at = (row: number, column: number): number => lengths?.[row]?.[column] ?? 0;
  while (one < before.length || other < after.length) {
    const numbers = { before: one + 1, after: other + 1 };
    const [left, right] = [before[one], after[other]];
    if (left !== undefined && left === right && lengths !== undefined) {
      lines.push({ mark: " ", text: left, ...numbers });
      one += 1;
      other += 1;
    } else if (left !== undefined && (right === undefined || at(one + 1, other) >= at(one, other + 1))) {
      lines.push({ mark: "-", text: left, ...numbers });
      one += 1;
    } else {
      lines.push({ mark: "+", text: right ?? "", ...numbers });
      other += 1;
    }
  }
  return lines;
}

/** How many lines the rest of both texts have in common, in order, from each pair of places on. */
function common(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  for (let one = before.length - 1; one >= 0; one -= 1) {
    const row = lengths[one];
    const below = lengths[one + 1];
    if (row === undefined || below === undefined) continue;
    for (let other = after.length - 1; other >= 0; other -= 1)
      row[other] =
        before[one] === after[other]
          ? (below[other + 1] ?? 0) + 1
          : Math.max(below[other] ?? 0, row[other + 1] ?? 0);
  }
  return lengths;
}

function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
