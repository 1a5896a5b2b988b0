import type { Cell } from "../../cells/cell.ts";
import { cellLines } from "../../cells/draw/cell-lines.ts";
import type { DrawOptions } from "../../cells/draw/options.ts";
import { SLOW_MILLISECONDS } from "../../cells/reduce-hook.ts";
import type { CellState } from "../../cells/state.ts";

/** True when an empty line goes between two cells. */
export function isApart(before: Cell | undefined, cell: Cell): boolean {
  if (before === undefined) return true;
  const isWork = (one: Cell): boolean => one.type === "tool" || one.type === "hook";
  if (isWork(before) && isWork(cell)) return false;
  return !(before.type === "turn" && cell.type === "hook_input");
}

/** What can still change: cells, the answer that is being streamed, and hooks that take long. */
export function liveLines(cells: CellState, options: DrawOptions): readonly string[] {
  const { live, text, hooks, done } = cells;
  const slow = hooks.filter(({ started }) => options.now - started > SLOW_MILLISECONDS);
  const streamed: readonly Cell[] = text.trim() === "" ? [] : [{ type: "text", text }];
  let before = done.at(-1);
  const lines: string[] = [];
  for (const cell of [...live, ...streamed, ...slow]) {
    if (isApart(before, cell)) lines.push("");
    lines.push(...cellLines(cell, options));
    before = cell;
  }
  return lines;
}
