import type { AgentResult, StopReason } from "../../../agent.ts";
import type { Paint } from "../../screen/colours.ts";
import { counted, harmless } from "../../screen/text.ts";

/** How each end is told, and whether the reason has to be shown: of an error it was when it happened. */
const ENDS: Readonly<Record<StopReason, { readonly word: string; readonly tellsWhy?: true }>> = {
  complete: { word: "done" },
  limit: { word: "stopped at the limit" },
  cancelled: { word: "interrupted" },
  error: { word: "failed" },
  denied: { word: "denied", tellsWhy: true },
  suspended: { word: "waits for a human", tellsWhy: true },
  aborted: { word: "ended by a hook", tellsWhy: true },
};

/** The last line of a run: how it ended, and what it took. */
export function resultLines(result: AgentResult, milliseconds: number, paint: Paint): readonly string[] {
  const { stop_reason, iterations, usage, text } = result;
  const { word, tellsWhy } = ENDS[stop_reason];
  const { input_tokens, output_tokens, cost_usd } = usage;
  const took = [
    counted(iterations, "iteration"),
    `${number(input_tokens)} tokens in, ${number(output_tokens)} out`,
    ...(cost_usd === undefined ? [] : [`about $${cost_usd.toFixed(4)}`]),
    `${(milliseconds / 1000).toFixed(1)} s`,
  ];
  const colour = stop_reason === "complete" ? paint.green : paint.red;
  return [
    ...(tellsWhy === true && text !== "" ? [paint.red(harmless(text))] : []),
    `${colour(word)}  ${paint.dim(took.join(", "))}`,
  ];
}

function number(value: number | undefined): string {
  return (value ?? 0).toLocaleString("en");
}
