import type { AgentStatus } from "../core/contracts/monitor.ts";
import { hasEnded, isOfEarlierBoot, processMark } from "../node/process/identity/process-identity.ts";
import { isRunning } from "../node/process/signals.ts";

/** The fields of an event that say which process an agent is. */
export function agentProcess(pid: number): Readonly<Record<string, unknown>> {
  const { pid: agent_pid, ...agent_process } = processMark(pid);
  return { agent_pid, agent_process };
}

/** True when the process of an agent has ended. False when it is not known, or runs where this machine can't see it. */
export function hasGone({ pid, process }: AgentStatus): boolean {
  if (pid === undefined) return false;
  if (process === undefined) return !isRunning(pid);
  return hasEnded({ pid, ...process }) ?? isOfEarlierBoot(process);
}
