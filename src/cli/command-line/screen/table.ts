import { columns, cut, padded } from "./text.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly right?: true;
  /** Left out where every cell is 0. */
  readonly counts?: true;
  /** May be cut to this many columns when the screen is narrow. */
  readonly least?: number;
  /** Is left out when the screen is narrow, before anything is cut: the last such column first. */
  readonly rare?: true;
}

/** The lines of a table. On a narrow screen rare columns are left out, then the widest columns are cut first. */
export function tableLines<Row>(
  given: readonly Column<Row>[],
  rows: readonly Row[],
  screenWidth: number,
): readonly string[] {
  const told = given.filter(({ counts, cell }) => counts !== true || rows.some((row) => cell(row) !== "0"));
  const all = withoutRare(told, rows, screenWidth);
  const cells = rows.map((row) => all.map(({ cell }) => cell(row)));
  const widths = all.map((column) => widthOf(column, rows));
  const total = (): number => widths.reduce((sum, width) => sum + width + GAP, -GAP);
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
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

const GAP = 2;

function widthOf<Row>({ title, cell }: Column<Row>, rows: readonly Row[]): number {
  return Math.max(columns(title), ...rows.map((row) => columns(cell(row))));
}

function withoutRare<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  screenWidth: number,
): readonly Column<Row>[] {
  const total = all.reduce((sum, column) => sum + widthOf(column, rows) + GAP, -GAP);
  const rare = all.findLast((column) => column.rare === true);
  if (rare === undefined || total <= screenWidth) return all;
  return withoutRare(
    all.filter((column) => column !== rare),
    rows,
    screenWidth,
  );
}
