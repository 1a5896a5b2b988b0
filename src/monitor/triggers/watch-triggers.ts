import { homedir } from "node:os";
import { join } from "node:path";
import { type Claimed, claimedBy, claimFile } from "../../node/files/claim-file.ts";
import { makePrivateFolder, tidy } from "../../node/files/folders.ts";
import { stateFolder } from "../../node/user-folders.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { PendingAction } from "../../shared/monitor/pending-action.ts";
import { settingsOfAgent } from "../../shared/monitor/trigger-settings.ts";
import type { MonitorContext } from "../context.ts";
import { ACTION_ENDED } from "../report/actions.ts";
import { dueAction, type Facts, triggersFor } from "../report/due.ts";
import { lastWriteTo } from "../state/growth.ts";

/** A process that has not claimed its action by then could not start. */
const START_MILLISECONDS = 20_000;
const MOST_STARTS = 3;

type TriggerPorts = Pick<MonitorContext, "monitor" | "environment" | "settingsFor" | "carryOut" | "drain">;

/**
 * Acts for agents that do nothing, have failed or are gone, as the configuration of their folder says. What it does is
 * an event first. Then a process of its own carries it out, claims it before, and reports how it ended: so nothing is
 * lost and nothing is done twice when the daemon is killed.
 */
export function triggerLooks(ports: TriggerPorts): () => Promise<void> {
  const started = new Map<string, Starts>();
  return async () => {
    const asked = new Set((await ports.monitor.decisions("open")).map(({ agent_id }) => agent_id));
    for (const agent of await ports.monitor.agents()) {
      // Another machine's daemon acts for its agents.
      if (agent.machine !== undefined) continue;
      const next = agent.pending === undefined ? await act(agent, asked.has(agent.agent_id), ports) : agent;
      if (next?.pending !== undefined) await attend(next, next.pending, ports, started);
    }
  };
}

async function act(
  agent: AgentStatus,
  asked: boolean,
  ports: TriggerPorts,
): Promise<AgentStatus | undefined> {
  if (triggersFor(agent).length === 0 || agent.handled === true) return undefined;
  const settings = settingsOfAgent(await ports.settingsFor(agent.cwd ?? homedir()), agent);
  const facts = { ...factsOf(agent), asked };
  // Most agents need nothing: no transaction for them.
  if (dueAction(agent, settings, facts) === undefined) return undefined;
  return ports.monitor.act(agent.agent_id, (status) => dueAction(status, settings, facts));
}

function factsOf({ transcript_path }: AgentStatus): Facts {
  const now = Date.now();
  const transcript_changed = lastWriteTo(transcript_path);
  return { now, transcript_changed };
}

interface Starts {
  readonly count: number;
  readonly last: number;
}

/** Sees to it that a pending action is carried out, and that it ends. */
async function attend(
  agent: AgentStatus,
  pending: PendingAction,
  ports: TriggerPorts,
  started: Map<string, Starts>,
): Promise<void> {
  const { environment, carryOut } = ports;
  const { id, action } = pending;
  const claim = claimOn(id, environment);
  const now = Date.now();
  if (claim === undefined) {
    const { count, last } = started.get(id) ?? { count: 0, last: 0 };
    if (now - last < START_MILLISECONDS) return;
    if (count < MOST_STARTS) {
      started.set(id, { count: count + 1, last: now });
      carryOut(id);
      // Claimed, so that a process that starts late does nothing.
    } else if (claimAction(id, environment))
      await end(
        agent,
        pending,
        `No process could be started for ${action}; the monitor tried ${count} times.`,
        ports,
      );
    return;
  }
  started.delete(id);
  if (claim.holder === "alive") return;
  await end(agent, pending, `The process that carried out ${action} ended without a result.`, ports);
}

/** Reports that an action failed, unless its own process has reported how it ended. */
async function end(
  agent: AgentStatus,
  pending: PendingAction,
  why: string,
  { monitor, drain }: TriggerPorts,
): Promise<void> {
  // It may have reported its end just before it ended.
  await drain();
  const current = (await monitor.agents()).find(({ agent_id }) => agent_id === agent.agent_id);
  if (current?.pending?.id !== pending.id) return;
  const fields = { action_id: pending.id, ok: false, why, ...aboutAction(pending) };
  await monitor.report({ type: ACTION_ENDED, agent: current, fields });
}

/** What the event of an action's end says about the action. */
export function aboutAction({ action, source, run, timeout, check_of }: PendingAction) {
  return { action, source, run, timeout, check_of };
}

/** A claim outlives its action, so that nobody does the action again. */
const TIDIED = { milliseconds: 7 * 24 * 60 * 60 * 1000, bytes: 1_000_000 };

/**
 * Claims an action for this process: of all processes that try, one does it, and none again when that one is killed.
 *
 * @throws the file system's error.
 */
export function claimAction(id: string, environment: NodeJS.ProcessEnv): boolean {
  const folder = claimsFolder(environment);
  makePrivateFolder(folder);
  tidy(folder, TIDIED);
  const claim = claimFile(join(folder, id));
  claim?.write("begun");
  return claim !== undefined;
}

export function claimOn(id: string, environment: NodeJS.ProcessEnv): Claimed | undefined {
  return claimedBy(join(claimsFolder(environment), id));
}

function claimsFolder(environment: NodeJS.ProcessEnv): string {
  return join(stateFolder(environment), "monitor", "actions");
}
