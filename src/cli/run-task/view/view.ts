import type { AgentItem } from "../../../agent.ts";
import type { Screen } from "../../screen/screen.ts";
import { harmless } from "../../screen/text.ts";
import { callText } from "./call-line.ts";
import { HookCells } from "./hook-cells.ts";
import { type Paper, paperFor } from "./paper.ts";
import { ToolCells } from "./tool-cells.ts";

/** Shows the items of an agent to a reader, one after the other. */
export interface ItemView {
  readonly paper: Paper;
  show(item: AgentItem): void;
}

function subagentLine(
  agent_type: string,
  { tool_name, tool_input }: Extract<AgentItem, { type: "tool_call" }>,
  folder: string,
): string {
  return `  ${harmless(agent_type)} > ${harmless(tool_name)} ${callText(tool_name, tool_input, folder)}`;
}

/** A view for people: running text, a cell for each call, and what hooks did where they did it. */
export function humanView(screen: Screen, folder: string): ItemView {
  const paper = paperFor(screen);
  const { paint } = screen;
  const tools = new ToolCells(paper, paint, folder);
  const hooks = new HookCells(paper, screen, tools);
  let told = "";
  let streamed = "";
  /** An answer that did not come as a stream: what the runtime says at the limit in the model's place. */
  const showAnswer = ({ message }: Extract<AgentItem, { type: "message" }>): void => {
    if (message.role !== "assistant" || message.id === streamed || message.ended !== "limit") return;
    for (const part of message.parts) if (part.type === "text") paper.text(harmless(part.text));
  };
  const showError = ({ error_type, message, retry_in_ms }: Extract<AgentItem, { type: "error" }>): void => {
    const text = harmless(`${error_type}: ${message}`);
    // At once is with another model, which is told next.
    const again = retry_in_ms ? `\nTrying again in ${(retry_in_ms / 1000).toFixed(1)} s.` : "";
    if (retry_in_ms !== undefined) paper.block(paint.yellow(`${text}${again}`));
    // The end of the turn tells once more what could not be mended.
    else if (text !== told) paper.block(paint.red(text));
    told = retry_in_ms === undefined ? text : "";
  };
  const show = (item: AgentItem): void => {
    switch (item.type) {
      case "text_delta":
        streamed = item.message_id;
        paper.text(harmless(item.text));
        break;
      case "tool_call":
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
        hooks.message(item);
        break;
      case "notice":
        hooks.notice(item);
        break;
      case "model":
        paper.block(paint.yellow(`Model: ${harmless(item.model)} (${item.triggered_by})`));
        break;
      case "error":
        showError(item);
        break;
      case "subagent":
        if (item.item.type === "tool_call")
          paper.block(paint.dim(subagentLine(item.agent_type, item.item, folder)));
        break;
      case "turn_start":
      case "reasoning_delta":
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
  return { paper, show };
}
