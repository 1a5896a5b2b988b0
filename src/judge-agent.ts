import { Agent } from "./agent/agent.ts";
import { askJudge, judgeOptions } from "./agent/model/ask-once.ts";
import type { JudgeAgentRequest, JudgeReply } from "./core/contracts/judge.ts";
import { openModel } from "./models/open-model.ts";
import { defaultTools } from "./tools/default-tools.ts";

/**
 * Has an agent judge an event: it can read and search the workspace and nothing else, no hook watches it, and nothing it
 * says is kept.
 *
 * @throws HookFailureError when it comes to no verdict; the reason of the signal when that is aborted.
 */
export function judgeWithAgent(request: JudgeAgentRequest): Promise<JudgeReply> {
  const { model, base_url, root } = request;
  const at = { environment: process.env, ...(root === undefined ? {} : { root }) };
  return askJudge(request, async () => {
    const opened = await openModel(model, base_url === undefined ? at : { ...at, base_url });
    return new Agent(judgeOptions(request, opened, defaultTools()));
  });
}
