import type { Adapter } from "../../../../adapters/adapter.ts";
import { adapterFor } from "../../../../adapters/agents.ts";
import { loadConfigCached } from "../../../../config.ts";
import { completeLimits } from "../../../../core/registration/limits.ts";
import { type Prompt, promptOfNotification, promptOfTool } from "../../../../monitor/prompt.ts";
import { notifyMonitor, type SpoolRecord, spooledBy } from "../../../../monitor/spool.ts";

type Payload = Readonly<Record<string, unknown>>;

interface Site {
  readonly agent: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Reports to the monitor. Returns the reply to the agent, if there is one. */
export type AgentHook = (payload: Payload, site: Site) => Promise<object | undefined>;

/** The hooks that `tenterhook agent settings` installs, by name. */
export const AGENT_HOOKS: ReadonlyMap<string, AgentHook> = new Map<string, AgentHook>([
  ["pretooluse", (payload, site) => report(promptOfTool(payload), payload, site)],
  ["notify", (payload, site) => report(promptOfNotification(payload), payload, site)],
  ["stop", stop],
]);

async function report(prompt: Prompt | undefined, payload: Payload, site: Site): Promise<undefined> {
  if (prompt === undefined) return undefined;
  const context = (await adapterFor(payload, site.environment)).lastText?.(payload);
  notifyMonitor(
    { type: "agent:prompt", ...prompt, ...(context === undefined ? {} : { context }) },
    { payload, ...site },
  );
  return undefined;
}

/** Keeps an agent going that has not signalled that it is done, up to the limit of a turn. */
async function stop(payload: Payload, site: Site): Promise<object | undefined> {
  if (payload.stop_hook_active === true) return undefined;
  const { agent, environment } = site;
  const records = spooledBy(agent, environment);
  const signals = records.filter(({ type }) => type === "agent:signal");
  if (signals.at(-1)?.signal === "complete") return undefined;
  const adapter = await adapterFor(payload, environment);
  const turn_id = turnOf(payload, adapter);
  const times = blockedBefore(records, { ...payload, turn_id });
  if (times >= (await ceilingFor(payload, adapter, environment))) return undefined;
  const record = notifyMonitor(
    { type: "agent:stop_blocked", ...(turn_id === undefined ? {} : { turn_id }) },
    { payload, ...site },
  );
  // Without a record it could not be counted, and would have no limit.
  if (record === undefined) return undefined;
  const command = `tenterhook emit agent:signal --agent ${agent}`;
  return {
    decision: "block",
    reason: `Say how it stands before you stop. When the task is done: ${command} complete. When a human must decide: ${command} escalate. When there is more to do, do it, or: ${command} continue.`,
  };
}

/**
 * How often the agent was kept going in this turn: by turn id if the agent sends one; a stop without a continuation
 * begins a turn; else since the agent's last signal.
 */
function blockedBefore(records: readonly SpoolRecord[], payload: Payload): number {
  const { session_id, turn_id, stop_hook_active } = payload;
  const here = records.filter((record) => record.session_id === session_id || record.type === "agent:signal");
  const since = here.slice(here.findLastIndex(({ type }) => type === "agent:signal") + 1);
  const blocked = since.filter(({ type }) => type === "agent:stop_blocked");
  if (turn_id !== undefined) return blocked.filter((record) => record.turn_id === turn_id).length;
  return stop_hook_active === false ? 0 : blocked.length;
}

function turnOf(payload: Payload, adapter: Adapter): unknown {
  try {
    return adapter.decode(payload).turn_id;
  } catch {
    return undefined;
  }
}

/** The limit of the configuration in the agent's folder; its errors must not stop an agent. */
async function ceilingFor(
  { cwd }: Payload,
  { projectVariable = "" }: Adapter,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const folder = typeof cwd === "string" ? cwd : process.cwd();
  const { [projectVariable]: project } = environment;
  const places = { cwd: folder, environment, ...(project ? { project } : {}) };
  const limits = await loadConfigCached(places).then(
    (config) => config.limits,
    () => ({}),
  );
  return completeLimits(limits).stop_continuations;
}
