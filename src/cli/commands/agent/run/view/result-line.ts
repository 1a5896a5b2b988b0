import type { AgentResult, StopReason } from "../../../../../agent.ts";
import type { Paint } from "../../../../command-line/screen/colours.ts";
import { counted } from "../../../../command-line/screen/text.ts";

/** How each end is told; why it came was told when it did. */
const ENDS: Readonly<Record<StopReason, string>> = {
  complete: "done",
  limit: "stopped at the limit",
  cancelled: "interrupted",
  error: "failed",
  denied: "denied",
  aborted: "ended by a hook",
  suspended: "waits for a human",
};

/** The last line of a run: how it ended, and what it took. */
export function resultLine(
  { stop_reason, iterations, usage }: AgentResult,
  milliseconds: number,
  paint: Paint,
): string {
  const { input_tokens, output_tokens, cost_usd } = usage;
  const took = [
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
