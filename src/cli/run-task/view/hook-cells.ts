import type { AgentItem } from "../../../agent.ts";
import type { Paint } from "../../screen/colours.ts";
import { harmless, milliseconds } from "../../screen/text.ts";
import { failureText, notesOf } from "./hook-notes.ts";
import { type OutputBlock, outputBlock } from "./output-block.ts";
import type { Paper } from "./paper.ts";
import type { ToolCells } from "./tool-cells.ts";

type Item<Type extends AgentItem["type"]> = Extract<AgentItem, { type: Type }>;

/** Events about a call whose gates are being asked. */
const JUDGING: readonly string[] = ["PreToolUse", "PermissionRequest"];

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
    this.#paper.block(`${cyan(hook)}  ${harmless(command.join(" "))}`);
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
    for (const { text, tone } of notesOf(hook_event_name, run)) this.#tools.note(text, tone === "refusal");
    if (failure === undefined) return;
    if (JUDGING.includes(hook_event_name)) this.#tools.gateFailed(failure);
    else this.#tools.note(failure, true);
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
        this.#paper.add(dim(`  context from ${harmless(part.hook)}: ${indented(part.text)}`));
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
    this.#paper.add(colour(`  ${who}${indented(text)}`));
  }
}

function indented(text: string): string {
  return harmless(text).trim().replaceAll("\n", "\n    ");
}
