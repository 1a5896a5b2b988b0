import { basename } from "node:path";
import { type Ancestor, allProcesses, variablesOf } from "../../node/identity/ancestors.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { Seen } from "../monitor.ts";
import { agentProcess } from "../report/agent-process.ts";
import { RESUMED_HOSTS } from "../report/sources.ts";

/** As long as an agent that has ended is listed. */
const LISTED_MILLISECONDS = 60 * 60 * 1000;
/** To look at all processes takes longer than other looks. */
const PAUSE_MILLISECONDS = 3000;

/**
 * Notices agents that have ended and run again: somebody has resumed the session, and its first event comes with its first
 * prompt, or after seconds.
 */
export function resumedLooks(): (agents: readonly AgentStatus[]) => readonly Seen[] {
  let last = 0;
  return (agents) => {
    const now = Date.now();
    const ended = agents.filter((agent) => mayBeResumed(agent, now));
    if (ended.length === 0 || now - last < PAUSE_MILLISECONDS) return [];
    last = now;
    const processes = allProcesses();
    return ended.flatMap((agent) => {
      const found = processes.find((one) => resumes(one, agent));
      const fields = { state_source: "inferred", source: "resume" };
      return found === undefined
        ? []
        : [{ type: "agent:start", agent, fields: { ...fields, ...agentProcess(found.pid) } }];
    });
  };
}

function mayBeResumed(
  { state, since, session_id, host = "", machine, dismissed, pending }: AgentStatus,
  now: number,
) {
  const hasEnded = state === "exited" || state === "gone";
  const isHere =
    session_id !== undefined && machine === undefined && dismissed !== true && pending === undefined;
  return hasEnded && isHere && RESUMED_HOSTS.has(host) && now - Date.parse(since) < LISTED_MILLISECONDS;
}

/** True for `claude --resume SESSION`, `codex resume SESSION` and the like, unless it runs under another name or the monitor started it. */
function resumes({ pid, words }: Ancestor, { agent_id, session_id, host = "" }: AgentStatus): boolean {
  const isProgram = words.slice(0, 2).some((word) => basename(word).startsWith(host));
  if (!isProgram || !words.some((word) => word === session_id || word === `--resume=${session_id}`))
    return false;
  const { TENTERHOOK_AGENT_ID: name = agent_id, TENTERHOOK_WOKEN_BY } = variablesOf(pid) ?? {};
  return name === agent_id && TENTERHOOK_WOKEN_BY === undefined;
}
