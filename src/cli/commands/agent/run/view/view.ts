import type { AgentItem } from "../../../../../agent.ts";
import { isRecord } from "../../../../../core/base/json.ts";
import type { ToolInput } from "../../../../../core/contracts/tool-types.ts";
import type { StoredMessage } from "../../../../../core/contracts/transcript.ts";
import { callText } from "../../../../../terminal/cells/call-line.ts";
import type { Screen } from "../../../../command-line/screen/screen.ts";
import { columns, harmless } from "../../../../command-line/screen/text.ts";
import { HookCells } from "./hook-cells.ts";
import { type Paragraphs, paragraphsOn } from "./paragraphs.ts";
import { ToolCells } from "./tool-cells.ts";

export interface ItemView {
  readonly paragraphs: Paragraphs;
  show(item: AgentItem): void;
}

export interface ViewStart {
  readonly paragraphs?: Paragraphs;
  /** Inputs of earlier calls by id, since some of them are shown again. Grows with each call. */
  readonly inputs?: Map<string, ToolInput>;
}

/** A view for people: running text, a cell for each call, and what hooks did. */
export function humanView(
  screen: Screen,
  folder: string,
  { paragraphs = paragraphsOn(screen), inputs = new Map() }: ViewStart = {},
): ItemView {
  const { paint } = screen;
  const tools = new ToolCells(paragraphs, paint, folder);
  const hooks = new HookCells(paragraphs, screen, tools);
  const called = new Set<string>();
  let streamed = "";
  let turns = 0;
  /** Separates a turn that nobody typed from the one before. */
  const startTurn = ({ hook }: Extract<AgentItem, { type: "turn_start" }>): void => {
    turns += 1;
    if (hook === undefined) return;
    tools.settle();
    const label = `── turn ${turns}, started by the hook ${harmless(hook)} ──`;
    const rest = Number.isFinite(screen.width) ? screen.width - columns(label) : 0;
    paragraphs.block(paint.cyan(`${label}${"─".repeat(Math.max(0, rest))}`));
  };
  /** Shows a reply that was not streamed: the runtime's at the limit. */
  const showAnswer = ({ message }: Extract<AgentItem, { type: "message" }>): void => {
    if (message.role !== "assistant" || message.id === streamed || message.ended !== "limit") return;
    for (const part of message.parts) if (part.type === "text") paragraphs.text(harmless(part.text));
  };
  /** Shows a call of an earlier process whose result was lost. */
  const showRepair = ({ message }: Extract<AgentItem, { type: "message" }>): void => {
    if (message.role !== "tool") return;
    const [{ tool_use_id, tool_name, outcome, content }] = message.parts;
    if (outcome !== "interrupted" || called.has(tool_use_id)) return;
    const input = inputs.get(tool_use_id);
    const about = input === undefined ? "" : `  ${callText(tool_name, input, folder)}`;
    paragraphs.cell(`${paint.cyan(">")} ${paint.bold(harmless(tool_name))}${about}`);
    paragraphs.note(paint.yellow(harmless(content)));
  };
  const showError = ({ error_type, message, retry_in_ms }: Extract<AgentItem, { type: "error" }>): void => {
    const text = harmless(`${error_type}: ${message}`);
    // An immediate retry uses another model, which is shown next.
    const again = retry_in_ms ? `\nTrying again in ${(retry_in_ms / 1000).toFixed(1)} s.` : "";
    if (retry_in_ms !== undefined) paragraphs.block(paint.yellow(`${text}${again}`));
    else paragraphs.block(paint.red(text));
  };
  const showSubagentCall = (agent_type: string, call: Extract<AgentItem, { type: "tool_call" }>): void => {
    // Hooks are now about the subagent's call, not about the one that started it.
    tools.running();
    const about = callText(call.tool_name, call.tool_input, folder);
    paragraphs.cell(paint.dim(`${harmless(agent_type)} > ${harmless(call.tool_name)}  ${about}`));
  };
  const show = (item: AgentItem): void => {
    switch (item.type) {
      case "text_delta":
        streamed = item.message_id;
        paragraphs.text(harmless(item.text));
        break;
      case "tool_call":
        called.add(item.tool_use_id);
        inputs.set(item.tool_use_id, item.tool_input);
        tools.call(item);
        break;
      case "tool_progress":
        tools.progress(item);
        break;
      case "tool_result":
        tools.result(item);
        break;
      case "hook_begin":
        hooks.begin(item);
        break;
      case "hook_output":
        hooks.output(item);
        break;
      case "hook_end":
        hooks.end(item);
        break;
      case "hook_input":
        hooks.input(item);
        break;
      case "message":
        showAnswer(item);
        showRepair(item);
        hooks.message(item);
        break;
      case "notice":
        hooks.notice(item);
        break;
      case "model":
        paragraphs.block(paint.yellow(`Model: ${harmless(item.model)} (${item.triggered_by})`));
        break;
      case "error":
        showError(item);
        break;
      case "subagent":
        if (item.item.type === "tool_call") showSubagentCall(item.agent_type, item.item);
        break;
      case "turn_start":
        startTurn(item);
        break;
      case "reasoning_delta":
      case "tool_input_delta":
      case "approval_request":
      case "question":
      case "todos":
      case "usage":
      case "done":
        break;
      default:
        item satisfies never;
    }
  };
  return { paragraphs, show };
}

/** The inputs of a stored conversation's calls, by id. */
export function storedInputs(messages: readonly StoredMessage[]): Map<string, ToolInput> {
  const inputs = new Map<string, ToolInput>();
  for (const message of messages) {
    const parts = "parts" in message && Array.isArray(message.parts) ? message.parts : [];
    for (const part of parts) {
      if (!isRecord(part) || part.type !== "tool_call" || typeof part.tool_use_id !== "string") continue;
      if (isRecord(part.tool_input)) inputs.set(part.tool_use_id, part.tool_input);
    }
  }
  return inputs;
}
