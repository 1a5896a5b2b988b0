import type { AgentStatus, MonitorEvent } from "../../core/contracts/monitor.ts";
import { ACTION, ACTION_ENDED, afterAction, afterEnd } from "./actions.ts";

/** The monitor's own actions, and the agent's word that it is done. */
export function withAction(status: AgentStatus, event: MonitorEvent): AgentStatus {
  if (event.type === ACTION) return afterAction(status, event);
  if (event.type === ACTION_ENDED) return afterEnd(status, event);
  return event.type === "agent:signal" && event.signal === "complete"
    ? { ...status, outcome: "done" }
    : status;
}

/** Events that begin something new, unless the monitor caused them. */
const BEGINS: ReadonlySet<string> = new Set(["agent:start", "agent:turn", "agent:answer"]);

/**
 * After progress, triggers have all their attempts again: a human gave the agent something to do, or it used a tool. What
 * begins anew has no outcome yet.
 */
export function withProgress(status: AgentStatus, event: MonitorEvent): AgentStatus {
  const { attempts, outcome, ...rest } = status;
  if (attempts === undefined && outcome === undefined) return status;
  const { type, woken_by, kept_going, worked } = event;
  if (BEGINS.has(type) && woken_by === undefined && kept_going !== true) return rest;
  return worked === true && attempts !== undefined
    ? { ...rest, ...(outcome === undefined ? {} : { outcome }) }
    : status;
}
