import type { AgentMonitor, AgentOptions, ApprovalOptions, AskApproval } from "../../../../agent.ts";
import type { Config } from "../../../../config.ts";
import { withoutUndefined } from "../../../../core/base/json.ts";
import { yesOrNo } from "../../../../core/base/yes-or-no.ts";
import { isWatched } from "../../../../monitor/report/detect.ts";
import { holdOf } from "../../../../monitor/report/prompt.ts";
import { settingsOfAgent } from "../../../../shared/monitor/trigger-settings.ts";

/**
 * What the configuration's monitor means for an agent of ours. Its questions can be answered in the monitor, too. With
 * `on_prompt: answer` they also wait where nobody can be asked; a terminal waits longer than that unless there is a
 * default.
 */
export function monitorOptions(
  { settings }: Pick<Config, "settings">,
  {
    environment,
    approval,
    fleet,
  }: {
    readonly environment: NodeJS.ProcessEnv;
    readonly approval?: AskApproval;
    readonly fleet?: NonNullable<AgentMonitor["fleet"]>;
  },
): Pick<AgentOptions, "monitor"> & { readonly approval?: ApprovalOptions } {
  const agent = { agent_id: environment.TENTERHOOK_AGENT_ID, host: "tenterhook" };
  const monitor = settingsOfAgent(settings.monitor, agent);
  if (!isWatched(monitor, environment)) return {};
  if (fleet !== undefined) return { monitor: { answer: false, fleet } };
  const [permission, question] = [holdOf(monitor, "permission"), holdOf(monitor, "question")];
  const fallbacks = [permission?.fallback, question?.fallback] as const;
  const hasFallback = fallbacks.some((fallback) => fallback !== undefined);
  const isLimited = permission !== undefined && (approval === undefined || hasFallback);
  // The agent has one time for all that it asks.
  const timeout = Math.max(permission?.seconds ?? 0, question?.seconds ?? 0);
  return {
    monitor: { answer: permission !== undefined },
    ...(isLimited ? { approval: { timeout, ...defaults(...fallbacks) } } : {}),
  };
}

function defaults(approval: string | undefined, answers: string | undefined) {
  const answer = approval === undefined ? undefined : yesOrNo(approval);
  const agreement = typeof answer === "string" ? ({ allow: false, feedback: answer } as const) : answer;
  return withoutUndefined({ answers, default: agreement });
}
