import type { AgentOptions } from "../../../../agent.ts";
import type { Config } from "../../../../config.ts";
import { yesOrNo } from "../../../../core/base/yes-or-no.ts";
import { isWatched } from "../../../../monitor/detect.ts";
import { holdOf } from "../../../../monitor/prompt.ts";

/**
 * What the configuration's monitor means for an agent of ours. Its questions can be answered in the monitor, too. With
 * `on_prompt: answer` they also wait where nobody can be asked; a terminal waits longer than that unless there is a
 * default.
 */
export function monitorOptions(
  { settings: { monitor } }: Pick<Config, "settings">,
  { environment, approve }: { readonly environment: NodeJS.ProcessEnv } & Pick<AgentOptions, "approve">,
): Pick<AgentOptions, "monitor" | "approval"> {
  if (!isWatched(monitor, environment)) return {};
  const hold = holdOf(monitor.on_prompt);
  const { seconds = 0, fallback } = hold ?? {};
  const isLimited = hold !== undefined && (approve === undefined || fallback !== undefined);
  return {
    monitor: { answer: hold !== undefined },
    ...(isLimited ? { approval: { timeout: seconds, ...defaults(fallback) } } : {}),
  };
}

/** A default in a configuration is one word for all kinds of questions. */
function defaults(fallback: string | undefined): Partial<NonNullable<AgentOptions["approval"]>> {
  if (fallback === undefined) return {};
  const said = yesOrNo(fallback);
  const agreement = typeof said === "string" ? ({ allow: false, feedback: said } as const) : said;
  return { answers: fallback, ...(agreement === undefined ? {} : { default: agreement }) };
}
