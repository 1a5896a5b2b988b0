import { columns, cut, padded } from "./text.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly right?: true;
  /** Left out where every cell is 0. */
  readonly counts?: true;
  /** May be cut to this many columns when the screen is narrow. */
  readonly least?: number;
}

/** The lines of a table. On a narrow screen the widest columns are cut first. */
export function tableLines<Row>(
  given: readonly Column<Row>[],
  rows: readonly Row[],
  screenWidth: number,
): readonly string[] {
  const all = given.filter(({ counts, cell }) => counts !== true || rows.some((row) => cell(row) !== "0"));
  const cells = rows.map((row) => all.map(({ cell }) => cell(row)));
  const widths = all.map(({ title }, at) =>
    Math.max(columns(title), ...cells.map((row) => columns(row[at] ?? ""))),
  );
  const gap = 2;
  const total = (): number => widths.reduce((sum, width) => sum + width + gap, -gap);
  while (total() > screenWidth) {
    const widest = all.reduce<number | undefined>((best, { least }, at) => {
      const width = widths[at] ?? 0;
      if (least === undefined || width <= least) return best;
      return best === undefined || width > (widths[best] ?? 0) ? at : best;
    }, undefined);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  return [all.map(({ title }) => title), ...cells].map((row) =>
    row
      .map((cell, at) => padded(cut(cell, widths[at] ?? 0), widths[at] ?? 0, all[at]?.right === true))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}
