import { Agent } from "./agent/agent.ts";
import { askJudge, judgeOptions } from "./agent/ask-once.ts";
import { openModel } from "./agent/model/open-model.ts";
import { defaultTools } from "./agent/tools/default-tools.ts";
import type { JudgeAgentRequest, JudgeReply } from "./shared/contracts/judge.ts";

/**
 * Has an agent judge an event: it can only read and search the workspace, no hook sees it, and nothing is stored.
 *
 * @throws HookFailureError without a verdict; the reason of the signal when that is aborted.
 */
export function judgeWithAgent(request: JudgeAgentRequest): Promise<JudgeReply> {
  const { model, base_url, root } = request;
  const at = { environment: process.env, root };
  return askJudge(request, async () => {
    const opened = await openModel(model, base_url === undefined ? at : { ...at, base_url });
    return new Agent(judgeOptions(request, opened, defaultTools()));
  });
}
