import type { AgentItem } from "../../../agent.ts";
import type { Paint } from "../../screen/colours.ts";
import { counted, harmless, milliseconds } from "../../screen/text.ts";
import { failureText, notesOf } from "./hook-notes.ts";
import { type OutputBlock, outputBlock } from "./output-block.ts";
import type { Paper } from "./paper.ts";
import type { ToolCells } from "./tool-cells.ts";

type Item<Type extends AgentItem["type"]> = Extract<AgentItem, { type: Type }>;

/** Events about a call that is being judged. */
const JUDGING: readonly string[] = ["PreToolUse", "PermissionRequest", "AgentPrompt", "MemoryUpdate"];

/** What hooks do: programs of `.agent/hook.toml` as cells with live output, the others by what came of them. */
export class HookCells {
  readonly #paper: Paper;
  readonly #paint: Paint;
  readonly #tools: ToolCells;
  readonly #programs = new Map<string, OutputBlock>();
  /** Stop hooks that wanted to go on, until what they said becomes a message. */
  #keepers: string[] = [];

  constructor(paper: Paper, paint: Paint, tools: ToolCells) {
    this.#paper = paper;
    this.#paint = paint;
    this.#tools = tools;
  }

  begin({ run_id, hook, command }: Item<"hook_begin">): void {
    if (command === undefined) return;
    const { cyan, dim } = this.#paint;
    this.#paper.cell(`${cyan(hook)}  ${harmless(command.join(" "))}`);
    this.#programs.set(
      run_id,
      outputBlock((line) => this.#paper.add(dim(line))),
    );
  }

  output({ run_id, text, stream }: Item<"hook_output">): void {
    this.#programs.get(run_id)?.add(text, stream);
  }

  end({ run_id, hook_event_name, run }: Item<"hook_end">): void {
    const program = this.#programs.get(run_id);
    const failure = failureText(run);
    if (program !== undefined) {
      this.#programs.delete(run_id);
      program.end();
      const { red, dim } = this.#paint;
      const code = run.exit_code === undefined ? "ended" : `exit ${run.exit_code}`;
      this.#paper.add(
        failure === undefined ? dim(`  ${code}, ${milliseconds(run.duration_ms)}`) : red(`  ${failure}`),
      );
      return;
    }
    if (run.outcome?.keep_going !== undefined) this.#keepers.push(run.name);
    const judging = JUDGING.includes(hook_event_name);
    const { red, yellow } = this.#paint;
    for (const { text, tone } of notesOf(hook_event_name, run)) {
      const line = (tone === "refusal" ? red : yellow)(text);
      if (judging) this.#tools.judged(line, tone === "refusal");
      else this.#paper.note(line);
    }
    if (failure === undefined) return;
    if (judging) this.#tools.gateFailed(failure);
    else this.#paper.note(red(failure));
  }

  input({ text }: Item<"hook_input">): void {
    this.#paper.block(`${this.#paint.cyan("HookInput:")} ${harmless(text)}`);
  }

  /** What hooks put into the conversation: context for the model, or why it must not stop. */
  message({ message }: Item<"message">): void {
    if (message.role !== "user" || message.source !== "hook") return;
    const { yellow, dim } = this.#paint;
    for (const part of message.parts) {
      if (part.type === "context")
        this.#paper.note(dim(`context from ${harmless(part.hook)}: ${indented(part.text)}`));
      else if (part.type === "text") {
        const who = harmless([...new Set(this.#keepers)].join(", ") || "a hook");
        this.#paper.block(`${yellow(`Stop: ${who} keeps it going:`)} ${indented(part.text)}`);
        this.#keepers = [];
      }
    }
  }

  notice({ text, level, hook }: Item<"notice">): void {
    const { dim, yellow, red } = this.#paint;
    const colour = { info: dim, warning: yellow, error: red }[level];
    const who = hook === undefined ? "" : `${harmless(hook)}: `;
    this.#tools.settle();
    this.#paper.note(colour(`${who}${indented(text)}`));
  }
}

const MOST_LINES = 8;

/** Words of a hook below its name; of many lines the first ones. */
function indented(text: string): string {
  const lines = harmless(text).trim().split("\n");
  const more = lines.length > MOST_LINES ? [`… ${counted(lines.length - MOST_LINES, "line")} more`] : [];
  return [...lines.slice(0, MOST_LINES), ...more].join("\n    ");
}
