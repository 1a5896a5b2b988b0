import type { AgentItem } from "../../../agent.ts";
import type { Paint } from "../../screen/colours.ts";
import { counted, harmless } from "../../screen/text.ts";
import { callText, changedLines } from "./call-line.ts";
import { type OutputBlock, outputBlock } from "./output-block.ts";
import type { Paper } from "./paper.ts";

type Item<Type extends AgentItem["type"]> = Extract<AgentItem, { type: Type }>;

interface Cell {
  readonly title: string;
  readonly output: OutputBlock;
  /** A hook's refusal stands below the call already. */
  refused: boolean;
  /** Failures of hooks that were asked about it, told when the call ran all the same. */
  readonly failures: string[];
}

/** Tools whose result is long and rarely worth reading again. */
const COUNTED: readonly string[] = ["Read"];

/** The cells of tool calls: what is called, what hooks did with it, its output as it comes, how it ended. */
export class ToolCells {
  readonly #paper: Paper;
  readonly #paint: Paint;
  readonly #folder: string;
  readonly #cells = new Map<string, Cell>();
  /** The call whose gates are being asked: gates are asked one call after the other. */
  #judged: Cell | undefined;
  /** The call that what is printed now belongs to. */
  #open: Cell | undefined;

  constructor(paper: Paper, paint: Paint, folder: string) {
    this.#paper = paper;
    this.#paint = paint;
    this.#folder = folder;
  }

  call({ tool_use_id, tool_name, tool_input }: Item<"tool_call">): void {
    const { cyan, bold, dim, red, green } = this.#paint;
    const about = indented(callText(tool_name, tool_input, this.#folder));
    const title = `${cyan(">")} ${bold(harmless(tool_name))}  ${about}`;
    const output = outputBlock((line) => this.#paper.add(dim(line)));
    const cell = { title: title.trimEnd(), output, refused: false, failures: [] };
    this.#cells.set(tool_use_id, cell);
    this.#judged = cell;
    this.#open = cell;
    this.#paper.block(cell.title);
    for (const line of changedLines(tool_name, tool_input))
      this.#paper.add(line.startsWith("  -") ? red(line) : green(line));
  }

  /** Something hooks did with the call that is being judged. */
  note(text: string, refusal: boolean): void {
    const { red, yellow } = this.#paint;
    if (refusal && this.#judged !== undefined) this.#judged.refused = true;
    this.#paper.add((refusal ? red : yellow)(`  ${text}`));
  }

  /** A hook that was asked about the call has no answer: whether that refuses it is not known yet. */
  gateFailed(text: string): void {
    this.#judged?.failures.push(text);
  }

  progress({ tool_use_id, text, stream }: Item<"tool_progress">): void {
    const cell = this.#cells.get(tool_use_id);
    if (cell === undefined) return;
    this.#opened(cell);
    cell.output.add(text, stream);
  }

  result({ tool_use_id, tool_name, content, is_error, outcome }: Item<"tool_result">): void {
    const cell = this.#cells.get(tool_use_id);
    if (cell === undefined) return;
    this.#cells.delete(tool_use_id);
    if (outcome === "denied" && cell.refused) return;
    this.#opened(cell);
    cell.output.end();
    const { red, yellow, dim } = this.#paint;
    if (outcome !== "denied") this.#paper.add(...cell.failures.map((failure) => red(`  ${failure}`)));
    const said = harmless(content).trim();
    if (outcome === "denied") this.#paper.add(red(`  denied: ${indented(said)}`));
    else if (outcome !== undefined) this.#paper.add(yellow(`  ${indented(said)}`));
    // The program's own words are above; what its end came to stands last.
    else if (cell.output.any && is_error) this.#paper.add(red(`  ${said.slice(said.lastIndexOf("\n") + 1)}`));
    else if (is_error) this.#paper.add(red(`  failed: ${indented(said)}`));
    else if (COUNTED.includes(tool_name))
      this.#paper.add(dim(`  ${counted(said.split("\n").length, "line")}`));
    else if (!cell.output.any) {
      cell.output.add(said, "stdout");
      cell.output.end();
    }
  }

  /** Names the call again when something else was printed since. */
  #opened(cell: Cell): void {
    if (this.#open !== cell) this.#paper.block(cell.title);
    this.#open = cell;
  }
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n    ");
}
