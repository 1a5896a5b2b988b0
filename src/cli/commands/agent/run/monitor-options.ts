import type { AgentMonitor, AgentOptions, ApprovalOptions, AskApproval } from "../../../../agent.ts";
import type { Config } from "../../../../config.ts";
import { withoutUndefined } from "../../../../core/base/json.ts";
import { yesOrNo } from "../../../../core/base/yes-or-no.ts";
import { isWatched } from "../../../../monitor/report/detect.ts";
import { holdOf } from "../../../../monitor/report/prompt.ts";
import { secondsOf } from "../../../../shared/duration.ts";
import type { MonitorSettings } from "../../../../shared/monitor/settings.ts";
import { settingsOfAgent } from "../../../../shared/monitor/trigger-settings.ts";

/**
 * What the configuration's monitor means for an agent of ours. Its questions can be answered in the monitor, too. With
 * `on_prompt: answer` they also wait where nobody can be asked; a terminal waits longer than that unless there is a
 * default, or `decisions` has a time for what is asked.
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
  const isAtTerminal = approval !== undefined;
  const [permission, plan, question] = KINDS.map((kind) => limitOf(monitor, kind, isAtTerminal));
  const timeout = withoutUndefined({
    ...{ permission: permission?.seconds, plan: plan?.seconds, question: question?.seconds },
  });
  const given = defaults(permission?.fallback, question?.fallback);
  return {
    monitor: { answer: holdOf(monitor, "permission") !== undefined },
    ...(Object.keys(timeout).length === 0 ? {} : { approval: { timeout, ...given } }),
  };
}

const KINDS = ["permission", "plan_approval", "question"] as const;

/** How long a human has for an answer, and what counts then. At a terminal only what is set for this kind counts, or has a default. */
function limitOf(monitor: MonitorSettings, kind: (typeof KINDS)[number], isAtTerminal: boolean) {
  const { timeout } = monitor.decisions?.[kind === "plan_approval" ? "plan" : kind] ?? {};
  const hold = holdOf(monitor, kind);
  const isLimited = !isAtTerminal || hold?.fallback !== undefined;
  const seconds = secondsOf(timeout) ?? (isLimited ? hold?.seconds : undefined);
  return { seconds, fallback: hold?.fallback };
}

function defaults(approval: string | undefined, answers: string | undefined) {
  const answer = approval === undefined ? undefined : yesOrNo(approval);
  const agreement = typeof answer === "string" ? ({ allow: false, feedback: answer } as const) : answer;
  return withoutUndefined({ answers, default: agreement });
}
