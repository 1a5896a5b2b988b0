import type { Paint } from "../../paint.ts";

/** How cells are drawn. */
export interface DrawOptions {
  /** Columns; infinite in a pipe, where an answer stays as the model wrote it and nothing has a margin. */
  readonly width: number;
  readonly paint: Paint;
  readonly now: number;
  /** Paths below it are shown from there on. */
  readonly folder: string;
  /** True to fold nothing. */
  readonly whole?: boolean;
  /** True where no key unfolds anything: in a pipe, or on a terminal that only prints. */
  readonly printed?: boolean;
}

/** How to see what was folded. */
export function unfolding({ printed }: Pick<DrawOptions, "printed">): string {
  return printed === true ? "" : "   ctrl-o shows them";
}

/** Spaces that move what follows to the right edge; two where there is no edge. */
export function gapOf(free: number): string {
  return " ".repeat(Number.isFinite(free) ? Math.max(2, free) : 2);
}
