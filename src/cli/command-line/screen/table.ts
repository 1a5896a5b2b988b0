import { columns, cut, padded } from "./text.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly right?: true;
  /** Left out where every cell is 0. */
  readonly counts?: true;
  /** May be cut to this many columns when the screen is narrow. */
  readonly least?: number;
  /** Is cut before columns without this. */
  readonly yields?: true;
  /** Is left out when the screen is narrow, before anything is cut: the last such column first. */
  readonly rare?: true;
}

/** The lines of a table. On a narrow screen rare columns are left out, then the widest columns are cut, those first that yield. */
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
    const cuttable = all.flatMap(({ least }, at) =>
      least !== undefined && (widths[at] ?? 0) > least ? [at] : [],
    );
    const first = cuttable.filter((at) => all[at]?.yields === true);
    const [widest] = (first.length > 0 ? first : cuttable).sort(
      (one, other) => (widths[other] ?? 0) - (widths[one] ?? 0),
    );
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
