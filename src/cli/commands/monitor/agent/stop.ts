import type { Adapter } from "../../../../adapters/adapter.ts";
import { adapterFor } from "../../../../adapters/agents.ts";
import { loadConfigCached } from "../../../../config/open.ts";
import { completeLimits, type Limits } from "../../../../core/registration/limits.ts";
import { continuationCeiling, turnCeiling } from "../../../../core/session/ceilings.ts";
import { tokensOf } from "../../../../core/session/state.ts";
import { agentProcess, ownEvents, reportedFrom } from "../../../../monitor/report/agent-process.ts";
import { notifyMonitor, spooledBy } from "../../../../monitor/report/spool.ts";
import { askForSignal, isDone, recordsOf } from "../../../../monitor/report/stop-signals.ts";
import { programAbove } from "../../../../node/identity/parent-program.ts";
import type { EventType, MonitorEvent } from "../../../../shared/monitor/events.ts";

type Payload = Readonly<Record<string, unknown>>;

/** Reports to the monitor. Returns the reply to the agent, if there is one. */
export type AgentHook = (
  payload: Payload,
  site: { readonly agent: string; readonly environment: NodeJS.ProcessEnv; readonly parent: number },
) => Promise<object | undefined>;

/** What a payload and the processes above this one tell about an agent: its program, its transcript and its process. */
export function aboutAgent({ transcript_path }: Payload, { name }: Adapter, parent: number) {
  const pid = programAbove(parent);
  return {
    host: name,
    ...(typeof transcript_path === "string" ? { transcript_path } : {}),
    ...(pid === undefined ? {} : agentProcess(pid)),
    ...reportedFrom(parent),
  };
}

/** Keeps an agent going that has not signalled in this session that it is done, up to the ceilings of a turn. */
export const stopHook: AgentHook = async (payload, site) => {
  const { agent, environment } = site;
  const { session_id, stop_hook_active } = payload;
  const adapter = await adapterFor(payload, environment);
  const turn_id = turnOf(payload, adapter);
  const records = recordsOf(session_id, ownEvents(spooledBy(agent, environment), site.parent));
  const blocked = blockedInTurn(records, { ...payload, turn_id });
  // Somebody else keeps it going, or nobody knows who.
  if (stop_hook_active === true && (blocked === 0 || session_id === undefined)) return undefined;
  const note = (type: EventType, more: object = {}) =>
    notifyMonitor(
      {
        type,
        ...aboutAgent(payload, adapter, site.parent),
        ...(turn_id === undefined ? {} : { turn_id }),
        ...(stop_hook_active === false ? { begins_turn: true } : {}),
        ...more,
      },
      { payload, ...site },
    );
  if (isDone(records)) {
    note("agent:stopped", { because: "signal" });
    return undefined;
  }
  const limit = ceilingOf(blocked, await limitsFor(payload, adapter, environment), adapter.turn?.(payload));
  if (limit !== undefined) {
    note("agent:stopped", { because: "limit" });
    return { systemMessage: `${agent} stops without having signalled that it is done ${limit}` };
  }
  // Without a record it could not be counted, and would have no limit.
  if (note("agent:stop_blocked") === undefined) return undefined;
  return { decision: "block", reason: askForSignal(agent, session_id) };
};

/**
 * How often the agent was kept going in this turn: by turn id if the agent sends one; else since the stop that began the
 * turn, or since the last one that passed.
 */
function blockedInTurn(records: readonly MonitorEvent[], payload: Payload): number {
  const { turn_id, stop_hook_active } = payload;
  const isBlocked = ({ type }: MonitorEvent) => type === "agent:stop_blocked";
  if (turn_id !== undefined)
    return records.filter((record) => isBlocked(record) && record.turn_id === turn_id).length;
  if (stop_hook_active === false) return 0;
  const from =
    stop_hook_active === true
      ? records.findLastIndex(({ begins_turn }) => begins_turn === true)
      : records.findLastIndex(({ type }) => type === "agent:stopped");
  return records.slice(Math.max(0, from)).filter(isBlocked).length;
}

function ceilingOf(blocked: number, limits: Limits, turn: ReturnType<NonNullable<Adapter["turn"]>>) {
  const spent = { turn_started: turn?.started_at, turn_tokens: tokensOf(turn?.usage) };
  const ceiling = continuationCeiling(blocked, limits) ?? turnCeiling(spent, limits, Date.now());
  return ceiling && `(limits.${ceiling.limit}): ${ceiling.message}`;
}

function turnOf(payload: Payload, adapter: Adapter): unknown {
  try {
    return adapter.decode(payload).turn_id;
  } catch {
    return undefined;
  }
}

/** The limits of the configuration in the agent's folder; its errors must not stop an agent. */
async function limitsFor(
  { cwd }: Payload,
  { projectVariable = "" }: Adapter,
  environment: NodeJS.ProcessEnv,
): Promise<Limits> {
  const folder = typeof cwd === "string" ? cwd : process.cwd();
  const { [projectVariable]: project } = environment;
  const places = { cwd: folder, environment, ...(project ? { project } : {}) };
  const limits = await loadConfigCached(places).then(
    (config) => config.limits,
    () => ({}),
  );
  return completeLimits(limits);
}
