import {
  hasEnded,
  isOfEarlierBoot,
  processMark,
  type Starts,
} from "../../node/process/identity/process-identity.ts";
import { isRunning } from "../../node/process/signals.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";

/** The fields of an event that say which process an agent is. */
export function agentProcess(pid: number): Readonly<Record<string, unknown>> {
  const { pid: agent_pid, ...agent_process } = processMark(pid);
  return { agent_pid, agent_process };
}

/**
 * True when the process of an agent has ended. False when it is not known, or runs where this machine can't see it.
 *
 * @param starts what `startsOf` has found, for somebody who asks about many.
 */
export function hasGone({ pid, process }: AgentStatus, starts?: Starts): boolean {
  if (pid === undefined) return false;
  if (process === undefined) return !isRunning(pid);
  return hasEnded({ pid, ...process }, starts) ?? isOfEarlierBoot(process);
}
