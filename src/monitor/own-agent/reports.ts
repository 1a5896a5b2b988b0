import type { EventType, MonitorEvent, SaidFields } from "../../shared/monitor/events.ts";
import { notifyMonitor } from "../report/spool.ts";

/** What our own agent is called in the monitor. */
export interface ReportedAgent {
  readonly agent: string;
  readonly session_id: string;
  cwd?: string;
}

export interface AgentReports {
  readonly environment: NodeJS.ProcessEnv;
  /** Reports something about the agent. Returns what was written; `undefined` when that failed, which stops nobody. */
  tell(type: EventType, fields?: SaidFields): MonitorEvent | undefined;
}

export function agentReports(who: () => ReportedAgent, environment: NodeJS.ProcessEnv): AgentReports {
  return {
    environment,
    tell(type, fields = {}) {
      const { agent, session_id, cwd } = who();
      return notifyMonitor(
        { type, host: "tenterhook", ...fields },
        { agent, payload: { session_id, cwd }, environment },
      );
    },
  };
}
