import { errorMessage } from "../core/base/error-text.ts";
import { isTenterhookError } from "../core/base/errors.ts";
import type { Tool } from "../core/contracts/tool.ts";
import { HookFailureError } from "../core/events/hook-failure-error.ts";
import { agentPermissions } from "../handlers/permissions/agent-permissions.ts";
import type { JudgeAgentRequest, JudgeReply } from "../shared/contracts/judge.ts";
import type { Agent } from "./agent.ts";
import type { ModelChoice } from "./model/agent-model.ts";
import type { AgentParts } from "./options.ts";

const TOOLS: readonly string[] = ["Read", "Glob", "Grep"];

/**
 * The options of an agent that judges: it can only read and search the workspace, except what the configuration
 * forbids; no hook sees it, and nothing is stored.
 *
 * @throws TenterhookError `bad_permission` or `bad_pattern` for invalid rules.
 */
export function judgeOptions(
  { cwd, system, max_turns, forbids = {} }: JudgeAgentRequest,
  model: ModelChoice,
  tools: readonly Tool[],
): AgentParts {
  return {
    model,
    cwd,
    system_prompt: system,
    tools: tools.filter(({ name }) => TOOLS.includes(name)),
    permissions: agentPermissions(forbids),
    limits: { iterations: max_turns },
    memory_files: [],
    turnHooks: async () => undefined,
    agent_type: "judge",
  };
}

/**
 * Asks an agent for a verdict and closes it.
 *
 * @throws HookFailureError `missing` when there is no such model, `error` when the agent fails; the reason of the
 *   signal.
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
    return { text, usage: { input_tokens, output_tokens } };
  } finally {
    await agent.close();
  }
}
