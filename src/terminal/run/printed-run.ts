import { cellLines, isApart } from "../cells/draw/cell-lines.ts";
import { cutOff, endedRun, reduceItem } from "../cells/reduce.ts";
import { type CellState, NO_CELLS, withCells } from "../cells/state.ts";
import type { RunPlace, RunView } from "./run-view.ts";

export interface PrintedPlace extends RunPlace {
  readonly width: number;
  print(...lines: readonly string[]): void;
  /** Prints a warning, apart from the rest. */
  warn(text: string): void;
}

/** A run in a pipe, or on a terminal where nobody types: each cell is printed once, when nothing can change it any more. */
export function printedRun(place: PrintedPlace): RunView {
  const { width, paint, folder, now, print } = place;
  let state: CellState = NO_CELLS;
  const change = (step: (state: CellState) => CellState): void => {
    const before = state.done.length;
    const { done, ...rest } = step(state);
    for (const [at, cell] of done.entries()) {
      if (at < before) continue;
      if (at > 0 && isApart(done[at - 1], cell)) print("");
      print(...cellLines(cell, { width, paint, folder, now: now(), printed: true }));
    }
    state = { ...rest, done: done.slice(-1) };
  };
  return {
    onItem: (item) => change((before) => reduceItem(before, item, now())),
    asks: {},
    report: (text) => place.warn(text),
    add: (...cells) => change((before) => withCells(before, ...cells)),
    opened: () => {},
    cutOff: () => change(cutOff),
    lose: (lost) => change((before) => ({ ...before, lost })),
    end: async () => change(endedRun),
  };
}
