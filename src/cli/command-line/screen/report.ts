import { type Finding, findingText } from "../../../install/finding.ts";
import type { Size } from "../../../terminal/layout.ts";
import { type Column, tableLines } from "./table.ts";
import { bold, columns, dim, green, hanging, harmless, padded, red, wrapped, yellow } from "./text.ts";

/**
 * What is printed: a paragraph, whose lines all begin where its first one does; lines that are made for a size; several of
 * these; or nothing. They may be coloured: where nobody sees colours, they are taken out.
 */
export type Block = string | ((size: Size) => readonly string[]) | readonly Block[] | false | undefined;

/** What a command found or did. */
export interface Report {
  readonly blocks: Block;
  /** The same for programs. */
  readonly json: unknown;
  /** The exit code when it is not 0. */
  readonly code?: number | undefined;
}

/** A text with a margin. */
export function paragraph(text: string, paint = plain, margin = "  "): Block {
  return ({ width }) => [paint(wrapped(harmless(text), width, margin))];
}

function plain(text: string): string {
  return text;
}

/** A title and what belongs to it; a row without a text is left out. */
export type Row = readonly [
  title: string,
  text: string | number | false | undefined,
  paint?: (text: string) => string,
];

/** Titles, and beside them, from a column on, their texts. */
export function rows(
  margin: number,
  list: readonly Row[],
  { indent = "", wrap = wrapped }: { readonly indent?: string; readonly wrap?: typeof wrapped } = {},
): Block {
  return ({ width }) =>
    list.flatMap(([title, text, paint = plain]) => {
      const shown = text === undefined || text === false ? "" : harmless(String(text));
      return shown === "" ? [] : hanging(`${indent}${dim(title)}`, paint(shown), width, margin, wrap);
    });
}

/** The most columns of a table in a pipe: a program may read it, and somebody may page it. */
const MOST_COLUMNS = 120;

/** The width of a screen; in a pipe, that of a page. */
export function pageWidth({ width }: Pick<Size, "width">): number {
  return Number.isFinite(width) ? width : MOST_COLUMNS;
}

/** A table as wide as its texts, at most as wide as the screen, with more lines below a row where there is more to say. */
export function table<One>(
  columnsOf: readonly Column<One>[],
  list: readonly One[],
  margin = "",
  below: (one: One) => readonly string[] = () => [],
): Block {
  return (size) => {
    const [head = "", ...lines] = tableLines(columnsOf, list, pageWidth(size) - margin.length);
    if (list.length === 0) return [];
    return [bold(`${margin}${head}`), ...list.flatMap((one, at) => [`${margin}${lines[at]}`, ...below(one)])];
  };
}

/** Commands to go on with, and what each does. */
export function steps(list: readonly (readonly [command: string, does: string])[]): Block {
  const width = Math.max(...list.map(([command]) => columns(command)));
  return () => list.map(([command, does]) => `  ${padded(command, width)}   ${does}`);
}

const MARKS = { ok: green("✓"), note: dim("·"), warning: yellow("!"), error: red("✗") };

/**
 * What is right and wrong, a part of it in one place: of a part with something wrong only that, of any other that it is right.
 * With `all`, everything.
 */
export function findings(list: readonly Finding[], all = false): Block {
  const wide = Math.max(0, ...list.map(({ about }) => columns(about)));
  const margin = wide + 6;
  const parts = [...new Set(list.map(({ about }) => about))];
  const shown = parts.flatMap((about) =>
    all ? list.filter((one) => one.about === about) : shortOf(about, list),
  );
  const hasMore = !all && list.some(({ level }) => level === "note");
  return ({ width }) => [
    ...shown.map((one, at) => {
      const title = one.about === shown[at - 1]?.about ? "" : bold(one.about);
      return hanging(`  ${MARKS[one.level]} ${title}`, harmless(findingText(one)), width, margin);
    }),
    ...(hasMore ? [dim("  -v shows what else is worth knowing")] : []),
  ];
}

function shortOf(about: string, list: readonly Finding[]): readonly Finding[] {
  const own = list.filter((one) => one.about === about);
  const wrong = own.filter(({ level }) => level === "warning" || level === "error");
  const holds = own
    .filter(({ level }) => level === "ok")
    .map(findingText)
    .join(" ");
  return wrong.length > 0 || holds === "" ? wrong : [{ level: "ok", about, message: holds }];
}
