import type { Usage } from "../../core/contracts/transcript.ts";
import type { Cell, HookCell, Input, ToolCell } from "./cell.ts";
import { isFinished } from "./cell.ts";

export interface LostCall {
  readonly name: string;
  readonly input: Input;
}

/** Everything that is known of a conversation. */
export interface CellState {
  /** Cells that nothing can change any more, in order. */
  readonly done: readonly Cell[];
  /** Cells from the first one on that can change. */
  readonly live: readonly Cell[];
  /** The end of an answer that is being streamed. */
  readonly text: string;
  /** Hooks that run and have shown nothing yet. */
  readonly hooks: readonly HookCell[];
  readonly turns: number;
  /** Stop hooks that keep the agent going, until their reason becomes a message. */
  readonly keepers: readonly string[];
  /** The call that started a subagent, by the subagent's id. */
  readonly subagents: Readonly<Record<string, string>>;
  /** Calls of an earlier process whose results were lost, by id. */
  readonly lost: Readonly<Record<string, LostCall>>;
  readonly usage?: Usage;
  readonly model?: string;
}

export const NO_CELLS: CellState = {
  done: [],
  live: [],
  text: "",
  hooks: [],
  turns: 0,
  keepers: [],
  subagents: {},
  lost: {},
};

/** Adds cells after what was streamed. */
export function withCells(state: CellState, ...cells: readonly Cell[]): CellState {
  const text = state.text.trim() === "" ? [] : [{ type: "text", text: state.text } as const];
  return settled({ ...state, text: "", live: [...state.live, ...text, ...cells] });
}

/** Moves what is finished out of the way: only what can change is looked at again. */
export function settled(state: CellState): CellState {
  const { live, done } = state;
  const open = live.findIndex((cell) => !isFinished(cell));
  const count = open < 0 ? live.length : open;
  return count === 0
    ? state
    : { ...state, done: [...done, ...live.slice(0, count)], live: live.slice(count) };
}

/** Adds to an answer; whole paragraphs of it are finished. */
export function withText(state: CellState, piece: string): CellState {
  const text = `${state.text}${piece}`;
  const end = lastParagraphEnd(text);
  if (end === 0) return { ...state, text };
  const whole = withCells({ ...state, text: text.slice(0, end) });
  return { ...whole, text: text.slice(end) };
}

/** Where the last whole paragraph ends: at an empty line outside of a block of code and of a list. */
function lastParagraphEnd(text: string): number {
  let isCode = false;
  let found = 0;
  let at = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    at += line.length + 1;
    // What is indented after an empty line may belong to an item of a list.
    if (
      !isCode &&
      line.trim() === "" &&
      /^\S/.test(text.slice(at)) &&
      !/^([-*+]|\d+[.)]) /.test(text.slice(at))
    )
      found = at;
  }
  return found;
}

/** Changes a tool cell, also one within another. */
export function withTool(state: CellState, id: string, change: (cell: ToolCell) => ToolCell): CellState {
  const changed = (cell: ToolCell): ToolCell => {
    if (cell.id === id) return change(cell);
    return cell.inside.some((one) => one.id === id)
      ? { ...cell, inside: cell.inside.map((one) => (one.id === id ? change(one) : one)) }
      : cell;
  };
  return { ...state, live: state.live.map((cell) => (cell.type === "tool" ? changed(cell) : cell)) };
}
