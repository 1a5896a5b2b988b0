import { errorMessage } from "../core/error-text.ts";
import { isTenterhookError } from "../core/errors.ts";
import { HookFailureError } from "../core/hook-failure-error.ts";
import type { JudgeAgentRequest, JudgeReply } from "../core/ports.ts";
import type { Agent } from "./agent.ts";

const LONGEST_ANSWER = 20_000;

/**
 * Asks an agent for a verdict and closes it.
 *
 * @throws HookFailureError `missing` when there is no such model, `error` when the agent fails, `bad_output` for an answer
 *   that is no JSON object; the reason of the signal when that is aborted.
 */
export async function askJudge(
  { prompt, signal }: Pick<JudgeAgentRequest, "prompt" | "signal">,
  open: () => Promise<Agent>,
): Promise<JudgeReply> {
  let agent: Agent;
  try {
    agent = await open();
  } catch (error) {
    throw new HookFailureError(isTenterhookError(error) ? "missing" : "error", errorMessage(error));
  }
  try {
    const { text, stop_reason, usage, error } = await agent.run(prompt, { signal });
    signal.throwIfAborted();
    if (stop_reason !== "complete" && stop_reason !== "limit")
      throw new HookFailureError("error", `The judge came to no verdict: ${error?.message ?? text}`);
    const { input_tokens = 0, output_tokens = 0 } = usage;
    return { text: verdictIn(text), usage: { input_tokens, output_tokens } };
  } finally {
    await agent.close();
  }
}

/** The last JSON object of an answer: models like to explain themselves first. */
function verdictIn(text: string): string {
  const found = /\{[^{}]*\}\s*(?:```)?\s*$/.exec(text.slice(-LONGEST_ANSWER))?.[0].replace(/```\s*$/, "");
  if (found === undefined)
    throw new HookFailureError("bad_output", "The judge's answer does not end with a verdict.");
  return found;
}
