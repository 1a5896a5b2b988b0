import { join } from "node:path";
import { writeAtomically } from "../../../../node/files/atomic-write.ts";
import { readOwnFile } from "../../../../node/files/own-file.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import type { AgentStatus } from "../../../../shared/monitor/monitor.ts";

/** An agent that has ended stays in the list for so long, and until somebody has looked. */
const SHOWN_MILLISECONDS = 60 * 60 * 1000;

export function hasEnded({ state }: AgentStatus): boolean {
  return state === "exited" || state === "gone";
}

/** The agents of the list: not those that were dismissed, or ended a while ago and before somebody looked last. */
export function shownAgents(
  agents: readonly AgentStatus[],
  lookedAt: string | undefined,
  now: number,
): readonly AgentStatus[] {
  return agents.filter((agent) => {
    if (agent.dismissed === true) return false;
    if (!hasEnded(agent)) return true;
    return now - Date.parse(agent.since) < SHOWN_MILLISECONDS || isNew(agent, lookedAt);
  });
}

/** Those that have ended since somebody looked last; none for somebody who looks for the first time. */
export function endedSince(
  agents: readonly AgentStatus[],
  lookedAt: string | undefined,
): readonly AgentStatus[] {
  return lookedAt === undefined ? [] : agents.filter((agent) => hasEnded(agent) && isNew(agent, lookedAt));
}

function isNew({ since }: AgentStatus, lookedAt: string | undefined): boolean {
  return lookedAt !== undefined && since > lookedAt;
}

function lookFile(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "monitor", "looked-at");
}

/** When a person last looked at the list on a terminal. */
export function lastLook(environment: NodeJS.ProcessEnv): string | undefined {
  const { text = "" } = readOwnFile(lookFile(environment), 100);
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** Never rejects: that somebody looked is not worth a failure. */
export async function noteLook(environment: NodeJS.ProcessEnv, now: number): Promise<void> {
  await writeAtomically(lookFile(environment), new Date(now).toISOString()).catch(() => undefined);
}
