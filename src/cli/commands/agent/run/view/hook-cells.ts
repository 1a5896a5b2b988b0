import type { AgentItem } from "../../../../../agent.ts";
import type { HookRun } from "../../../../../core/decide/decision.ts";
import { notesOf } from "../../../../../terminal/cells/hook-notes.ts";
import type { Paint, Screen } from "../../../../command-line/screen/screen.ts";
import { counted, harmless, milliseconds, wrapped } from "../../../../command-line/screen/text.ts";
import { type OutputBlock, outputBlock } from "./output-block.ts";
import type { Paragraphs } from "./paragraphs.ts";
import type { ToolCells } from "./tool-cells.ts";

type Item<Type extends AgentItem["type"]> = Extract<AgentItem, { type: Type }>;

/** On these events the gates of the call have been asked. */
const RUNNING: readonly string[] = ["PostToolUse", "PostToolUseFailure", "PostToolBatch"];

/** Shows hooks: programs of `.agent/hook.toml` with live output, others by their effects. */
export class HookCells {
  readonly #paragraphs: Paragraphs;
  readonly #paint: Paint;
  readonly #tools: ToolCells;
  readonly #width: number;
  readonly #programs = new Map<string, OutputBlock>();
  /** Stop hooks that keep the agent going, until their reason becomes a message. */
  #keepers: string[] = [];

  constructor(paragraphs: Paragraphs, { paint, width }: Pick<Screen, "paint" | "width">, tools: ToolCells) {
    this.#paragraphs = paragraphs;
    this.#paint = paint;
    this.#width = width - 4;
    this.#tools = tools;
  }

  begin({ run_id, hook, command }: Item<"hook_begin">): void {
    if (command === undefined) return;
    const { cyan, dim } = this.#paint;
    this.#paragraphs.cell(`${cyan(hook)}  ${harmless(command.join(" "))}`);
    this.#programs.set(
      run_id,
      outputBlock((line) => this.#paragraphs.add(dim(line))),
    );
  }

  output({ run_id, text, stream }: Item<"hook_output">): void {
    this.#programs.get(run_id)?.add(text, stream);
  }

  end({ run_id, hook_event_name, tool_use_id, run }: Item<"hook_end">): void {
    const program = this.#programs.get(run_id);
    if (program !== undefined) {
      this.#programs.delete(run_id);
      program.end();
      this.#paragraphs.add(this.#programEnd(run));
      return;
    }
    if (run.outcome?.keep_going !== undefined) this.#keepers.push(run.name);
    if (RUNNING.includes(hook_event_name)) this.#tools.running();
    const { red, yellow } = this.#paint;
    for (const { text, tone } of notesOf(hook_event_name, run)) {
      const refusal = tone === "refusal";
      const line = (refusal ? red : yellow)(text);
      if (!this.#tools.noted(line, { refusal, tool_use_id })) this.#paragraphs.note(line);
    }
  }

  #programEnd({ failure, exit_code, duration_ms }: HookRun): string {
    if (failure !== undefined) return this.#paint.red(`  ${failure.kind}: ${harmless(failure.message)}`);
    const code = exit_code === undefined ? "ended" : `exit ${exit_code}`;
    return this.#paint.dim(`  ${code}, ${milliseconds(duration_ms)}`);
  }

  input({ text }: Item<"hook_input">): void {
    this.#paragraphs.block(`${this.#paint.cyan("HookInput:")} ${harmless(text)}`);
  }

  /** Shows what hooks added to the conversation: context, or why the agent must not stop. */
  message({ message }: Item<"message">): void {
    if (message.role !== "user" || message.source !== "hook") return;
    const { yellow, dim } = this.#paint;
    for (const part of message.parts) {
      if (part.type === "context")
        this.#paragraphs.note(dim(`context from ${harmless(part.hook)}: ${firstLines(part.text)}`));
      else if (part.type === "text") {
        const who = harmless([...new Set(this.#keepers)].join(", ") || "a hook");
        const title = yellow(`Stop: ${who} keeps it going:`);
        this.#paragraphs.block(
          wrapped(`${title} ${firstLines(part.text)}`, this.#width).replaceAll("\n", "\n    "),
        );
        this.#keepers = [];
      }
    }
  }

  notice({ text, level, hook }: Item<"notice">): void {
    const { dim, yellow, red } = this.#paint;
    const colour = { info: dim, warning: yellow, error: red }[level];
    const isNamed = hook === undefined || hook.startsWith("tenterhook") || text.startsWith("Hook");
    const who = isNamed ? "" : `${harmless(hook)}: `;
    const line = colour(`${who}${firstLines(text)}`);
    if (this.#tools.noted(line, { shown: text })) return;
    this.#tools.settle();
    this.#paragraphs.note(line);
  }
}

const MOST_LINES = 8;

function firstLines(text: string): string {
  const lines = harmless(text).trim().split("\n");
  const more = lines.length > MOST_LINES ? [`… ${counted(lines.length - MOST_LINES, "line")} more`] : [];
  return [...lines.slice(0, MOST_LINES), ...more].join("\n");
}
