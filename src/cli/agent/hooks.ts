import { lastAssistantText } from "../../adapters/claude/transcript.ts";
import { completeLimits } from "../../core/limits.ts";
import { type Prompt, promptOfNotification, promptOfTool } from "../../monitor/prompt.ts";
import { spooledBy } from "../../monitor/spool.ts";
import { tell } from "../../monitor/tell.ts";

type Payload = Readonly<Record<string, unknown>>;

/** Whose hook it is. */
interface Site {
  readonly agent: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Tells the monitor what an agent's hook saw; answers what the agent must read, when there is something. */
export type AgentHook = (payload: Payload, site: Site) => object | undefined;

/** The hooks that `tenterhook agent settings` puts into an agent, by the name they are called by. */
export const AGENT_HOOKS: ReadonlyMap<string, AgentHook> = new Map<string, AgentHook>([
  ["pretooluse", (payload, site) => report(promptOfTool(payload), payload, site)],
  ["notify", (payload, site) => report(promptOfNotification(payload), payload, site)],
  ["stop", stop],
]);

/** It only tells: the tool goes on. */
function report(prompt: Prompt | undefined, payload: Payload, site: Site): undefined {
  if (prompt === undefined) return undefined;
  const context = lastAssistantText(payload.transcript_path);
  tell(
    { type: "agent:prompt", ...prompt, ...(context === undefined ? {} : { context }) },
    { payload, ...site },
  );
  return undefined;
}

/** Keeps an agent going that has not said that it is done, within the ceiling of a turn. */
function stop(payload: Payload, site: Site): object | undefined {
  if (payload.stop_hook_active === true) return undefined;
  const { agent, environment } = site;
  const told = spooledBy(agent, environment);
  const signals = told.filter(({ type }) => type === "agent:signal");
  if (signals.at(-1)?.signal === "complete") return undefined;
  const blocked = told.slice(told.findLastIndex(({ type }) => type === "agent:signal") + 1);
  const times = blocked.filter(({ type }) => type === "agent:stop_blocked").length;
  if (times >= completeLimits({}).stop_continuations) return undefined;
  tell({ type: "agent:stop_blocked" }, { payload, ...site });
  const command = `tenterhook emit agent:signal --agent ${agent}`;
  return {
    decision: "block",
    reason: `Say how it stands before you stop. When the task is done: ${command} complete. When a human must decide: ${command} escalate. When there is more to do, do it, or: ${command} continue.`,
  };
}
