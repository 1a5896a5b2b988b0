import { setTimeout as sleep } from "node:timers/promises";
import { TenterhookError } from "../../core/base/errors.ts";
import { processMark } from "../../node/identity/process-identity.ts";
import { sendSignal } from "../../node/process/signals.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import { hasGone } from "./agent-process.ts";

const PAUSE_MILLISECONDS = 100;

/**
 * Asks the process of an agent to end. It must be the one that the agent reported: process ids are used again, and a
 * stranger's process is never ended.
 *
 * @throws TenterhookError `agent_unreachable` when it has ended, or nobody can tell that it is the agent's.
 */
export function endAgent(agent: AgentStatus, name: string, signal: NodeJS.Signals) {
  const { pid, process: known, state, machine } = agent;
  if (machine !== undefined) throw unreachable(`${name} runs on ${machine}.`, "End it there.");
  if (state === "exited" || state === "gone" || hasGone(agent))
    throw unreachable(`${name} has ended already.`);
  if (pid === undefined || known?.started === undefined)
    throw unreachable(`The process of ${name} is not known.`, "End it where it was started.");
  if (known.is_editor === true)
    throw unreachable(`${name} is a part of an editor.`, "End it in the editor, whose other parts go on.");
  const present = processMark(pid);
  if (present.machine !== known.machine)
    throw unreachable(`${name} runs elsewhere, on ${known.host}.`, "End it there.");
  if (present.started !== known.started) throw unreachable(`${name} has ended already.`);
  if (!sendSignal(pid, signal)) throw unreachable(`Process ${pid} can't be ended by this user.`);
  return {
    /** True as soon as it has ended; false when it has not in this time. */
    async hasEnded(milliseconds: number, until: AbortSignal): Promise<boolean> {
      const latest = performance.now() + milliseconds;
      while (!hasGone(agent)) {
        if (performance.now() >= latest || until.aborted) return false;
        await sleep(PAUSE_MILLISECONDS, undefined, { signal: until }).catch(() => undefined);
      }
      return true;
    },
  };
}

function unreachable(message: string, hint?: string): TenterhookError {
  return new TenterhookError("agent_unreachable", message, hint === undefined ? {} : { hint });
}
