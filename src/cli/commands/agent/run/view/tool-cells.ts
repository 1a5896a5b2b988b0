import type { AgentItem } from "../../../../../agent.ts";
import { callText, changedLines } from "../../../../../terminal/cells/call-line.ts";
import type { Paint } from "../../../../command-line/screen/screen.ts";
import { counted, harmless } from "../../../../command-line/screen/text.ts";
import { type OutputBlock, outputBlock } from "./output-block.ts";
import type { Paragraphs } from "./paragraphs.ts";

type Item<Type extends AgentItem["type"]> = Extract<AgentItem, { type: Type }>;

interface Cell {
  readonly lines: readonly string[];
  /** Notes that came before the call was shown. */
  readonly notes: string[];
  readonly output: OutputBlock;
  /** A hook's refusal is shown below the call. */
  refused: boolean;
  /** What is already shown below the call, so that its end need not repeat it. */
  readonly shown: string[];
}

interface CallNote {
  readonly refusal?: boolean;
  readonly shown?: string;
  readonly tool_use_id?: string | undefined;
}

/** Tools whose result is only counted. */
const COUNTED: readonly string[] = ["Read"];

/**
 * Shows tool calls: the call, what hooks did with it, its output, its end. All calls of a message are checked before
 * the first one runs. Results are shown as they come: a call that ends after a later one is shown again.
 */
export class ToolCells {
  readonly #paragraphs: Paragraphs;
  readonly #paint: Paint;
  readonly #folder: string;
  readonly #cells = new Map<string, Cell>();
  /** The call whose gates are being asked, one call after the other. */
  #asked: Cell | undefined;
  /** The call that was shown last, and where. */
  #open: { readonly cell: Cell; readonly paragraph: number } | undefined;

  constructor(paragraphs: Paragraphs, paint: Paint, folder: string) {
    this.#paragraphs = paragraphs;
    this.#paint = paint;
    this.#folder = folder;
  }

  call({ tool_use_id, tool_name, tool_input }: Item<"tool_call">): void {
    const { cyan, bold, dim, red, green } = this.#paint;
    const about = indented(callText(tool_name, tool_input, this.#folder));
    const title = `${cyan(">")} ${bold(harmless(tool_name))}  ${about}`;
    const changes = changedLines(tool_name, tool_input).map((line) =>
      line.startsWith("  -") ? red(line) : green(line),
    );
    const output = outputBlock((line) => this.#paragraphs.add(dim(line)));
    const lines = [title.trimEnd(), ...changes];
    const cell = { lines, notes: [], output, refused: false, shown: [] };
    this.#cells.set(tool_use_id, cell);
    this.#asked = cell;
    if (this.#cells.size === 1) this.#opened(cell);
  }

  /**
   * Shows what hooks did with a call: the given one, or the one whose gates are being asked.
   *
   * @returns false when there is none.
   */
  noted(line: string, { refusal = false, shown = "", tool_use_id }: CallNote): boolean {
    const cell = tool_use_id === undefined ? this.#asked : this.#cells.get(tool_use_id);
    if (cell === undefined) return false;
    if (this.#isOpen(cell)) this.#paragraphs.note(line);
    else cell.notes.push(line);
    cell.refused ||= refusal;
    cell.shown.push(shown);
    return true;
  }

  /** The gates have been asked: hooks are now about running calls. */
  running(): void {
    this.#asked = undefined;
  }

  progress({ tool_use_id, text, stream }: Item<"tool_progress">): void {
    const cell = this.#cells.get(tool_use_id);
    if (cell === undefined) return;
    this.#opened(cell);
    cell.output.add(text, stream);
  }

  /** Shows the rest of the current output before something else. */
  settle(): void {
    this.#open?.cell.output.end();
  }

  result(item: Item<"tool_result">): void {
    const cell = this.#cells.get(item.tool_use_id);
    if (cell === undefined) return;
    this.#cells.delete(item.tool_use_id);
    this.#asked = undefined;
    this.#opened(cell);
    cell.output.end();
    this.#paragraphs.add(...this.#ending(item, cell));
    const [next] = this.#cells.values();
    if (next !== undefined) this.#opened(next);
  }

  #ending({ tool_name, content, is_error, outcome }: Item<"tool_result">, cell: Cell): readonly string[] {
    const { red, yellow, dim } = this.#paint;
    const text = harmless(content).trim();
    if (outcome === "denied" && cell.refused) return [];
    if (outcome === "denied" && cell.shown.includes(content)) return [red("  denied: the gate stays closed")];
    if (outcome === "denied") return [red(`  denied: ${indented(text)}`)];
    if (outcome !== undefined) return [yellow(`  ${indented(text)}`)];
    // The program's output is above; the last line says how it ended.
    if (is_error && cell.output.any) return [red(`  ${text.slice(text.lastIndexOf("\n") + 1)}`)];
    if (is_error) return [red(`  failed: ${indented(text)}`)];
    if (COUNTED.includes(tool_name)) return [dim(`  ${counted(text.split("\n").length, "line")}`)];
    if (cell.output.any) return [];
    const lines: string[] = [];
    const result = outputBlock((line) => lines.push(dim(line)));
    result.add(text, "stdout");
    result.end();
    return lines;
  }

  #isOpen(cell: Cell): boolean {
    return this.#open?.cell === cell && this.#open.paragraph === this.#paragraphs.paragraph;
  }

  /** Shows the call, again when another one was shown since. */
  #opened(cell: Cell): void {
    if (this.#isOpen(cell)) return;
    this.#paragraphs.cell(...cell.lines);
    this.#open = { cell, paragraph: this.#paragraphs.paragraph };
    for (const note of cell.notes.splice(0)) this.#paragraphs.note(note);
  }
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n    ");
}
