import type { AgentResult, StopReason, WaitingFor } from "../../../../agent.ts";
import { inputText } from "../../../../shared/call-text.ts";
import type { Paint } from "../../../../terminal/paint.ts";
import { counted, harmless } from "../../../command-line/screen/text.ts";

const ENDS: Readonly<Record<StopReason, string>> = {
  complete: "done",
  capped: "stopped at a limit for hooks, which wanted to go on",
  stalled: "stopped without progress, though hooks wanted to go on",
  limit: "stopped at the limit",
  cut_off: "cut off: the answer has no end",
  invalid_output: "the answer does not fit its schema",
  refused: "refused by the model",
  cancelled: "interrupted",
  error: "failed",
  denied: "denied",
  aborted: "ended by a hook",
  suspended: "waits for a human",
  budget: "stopped at its budget",
};

export function resultLine(
  { stop_reason, turns, iterations, usage }: AgentResult,
  milliseconds: number,
  paint: Paint,
): string {
  const { input_tokens, output_tokens, cost_usd } = usage;
  const took = [
    ...(turns > 1 ? [counted(turns, "turn")] : []),
    counted(iterations, "iteration"),
    `${number(input_tokens)} tokens in, ${number(output_tokens)} out`,
    ...(cost_usd === undefined ? [] : [`about $${cost_usd.toFixed(4)}`]),
    `${(milliseconds / 1000).toFixed(1)} s`,
  ];
  const colour = stop_reason === "complete" ? paint.green : paint.red;
  return `${colour(ENDS[stop_reason])}  ${paint.dim(took.join(", "))}`;
}

function number(value: number | undefined): string {
  return (value ?? 0).toLocaleString("en");
}

export function waitingLines(agent_id: string, waiting_for: WaitingFor): readonly string[] {
  return [...questionLines(waiting_for), answerLine(agent_id, waiting_for)];
}

export function answerLine(agent_id: string, waiting_for: WaitingFor): string {
  const words = isQuestion(waiting_for) ? `"…"` : `"yes", or "no", or what is to be done instead`;
  return `Answer with: tenterhook sessions resume ${agent_id} ${words}`;
}

function isQuestion(waiting: WaitingFor): boolean {
  return waiting.type === "subagent" ? isQuestion(waiting.waiting_for) : waiting.type === "question";
}

export function questionLines(waiting: WaitingFor): readonly string[] {
  switch (waiting.type) {
    case "question":
      return waiting.questions.map(({ question, options = [] }) => {
        const labels = options.map(({ label }) => label).join(", ");
        return harmless(labels === "" ? question : `${question} (${labels})`);
      });
    case "permission": {
      const { tool_name, tool_input, preview, reason } = waiting;
      const call = preview === undefined ? ` ${inputText(tool_input)}` : `\n${preview}`;
      return [harmless(`May ${tool_name} run?${call}`), ...(reason === undefined ? [] : [harmless(reason)])];
    }
    case "plan":
      return [harmless(waiting.plan)];
    case "subagent":
      return questionLines(waiting.waiting_for);
    default:
      return waiting satisfies never;
  }
}
