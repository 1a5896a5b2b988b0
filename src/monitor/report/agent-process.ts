import { ancestorsOf, startsAbove } from "../../node/identity/ancestors.ts";
import { programAbove } from "../../node/identity/parent-program.ts";
import {
  hasEnded,
  isOfEarlierBoot,
  isRunning,
  processMark,
  type Starts,
  thisProcess,
} from "../../node/identity/process-identity.ts";
import type { MonitorEvent, SaidFields } from "../../shared/monitor/events.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";

/** The fields of an event that say which process an agent is. */
export function agentProcess(pid: number): Pick<SaidFields, "agent_pid" | "agent_process" | "agent_args"> {
  const { pid: agent_pid, ...mark } = processMark(pid);
  const [{ words } = { words: [] }] = ancestorsOf(pid);
  // Electron's processes are told their task.
  const is_editor = words.some((word) => word.startsWith("--type="));
  return {
    agent_pid,
    agent_process: { ...mark, ...(is_editor ? { is_editor } : {}) },
    // Of a process that has just ended nobody can tell.
    ...(words.length === 0 ? {} : { agent_args: argumentsIn(words) }),
  };
}

const MOST_ARGUMENTS = 200;
const LONGEST_ARGUMENT = 4000;

/** What an agent was started with, so that its session can be continued with the same; without what nobody types. */
function argumentsIn([, ...words]: readonly string[]): readonly string[] {
  return words.slice(0, MOST_ARGUMENTS).filter((word) => word.length <= LONGEST_ARGUMENT);
}

/** The field of an event that names this process and those above it: what an agent reports comes from below its own. */
export function reportedFrom(pid: number): { readonly from: object } {
  const processes = startsAbove(pid).map((one) => `${one.pid} ${one.started}`);
  return { from: { machine: thisProcess().machine, processes } };
}

/** Whether an event was reported from below an agent's process; `undefined` when nobody can tell. */
export function isFromBelow(
  { from }: MonitorEvent,
  { pid, process }: Pick<AgentStatus, "pid" | "process">,
): boolean | undefined {
  if (from === undefined || from.machine !== process?.machine || process?.is_editor === true)
    return undefined;
  const { processes = [] } = from;
  if (processes.length === 0 || pid === undefined) return undefined;
  return processes.includes(`${pid} ${process?.started ?? ""}`);
}

/** The events that are not known to be another agent's, for a hook that this process has started. */
export function ownEvents(events: readonly MonitorEvent[], parent: number): readonly MonitorEvent[] {
  const above = programAbove(parent);
  if (above === undefined) return events;
  const { pid, ...process } = processMark(above);
  return events.filter((event) => isFromBelow(event, { pid, process }) !== false);
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
