import { terminalOf } from "../../node/process/identity/terminal-of.ts";
import { harmlessLine } from "../../shared/harmless.ts";
import type { AgentStatus, HumanRequest } from "../../shared/monitor/monitor.ts";
import { isCarriedOut } from "../report/actions.ts";
import { hasGone } from "../report/agent-process.ts";

/** True when an answer reaches somebody: a hook that still waits, or the monitor itself. */
export function isAnsweredHere(decision: HumanRequest, now = new Date().toISOString()): boolean {
  const { prompt, waits_until = "" } = decision;
  return isCarriedOut(decision) || (prompt !== undefined && waits_until > now);
}

/** Why a decision can't be answered here, and in which terminal it can; `undefined` when it can. */
export function elsewhereOf(decision: HumanRequest, agent: AgentStatus | undefined): string | undefined {
  const { prompt, only_at_terminal } = decision;
  if (isAnsweredHere(decision)) return undefined;
  const why =
    only_at_terminal === true
      ? "This agent takes no answer to this from outside."
      : prompt === undefined
        ? "No hook waits for this answer (monitor.on_prompt: answer)."
        : "Its hook has stopped waiting.";
  return `${why} Only its own terminal takes one${whichTerminal(agent)}.`;
}

function whichTerminal(agent: AgentStatus | undefined): string {
  const { pid, cwd } = agent ?? {};
  const terminal = agent === undefined || pid === undefined || hasGone(agent) ? undefined : terminalOf(pid);
  if (terminal !== undefined) return `: ${harmlessLine(terminal)}`;
  return cwd === undefined ? "" : `, in ${harmlessLine(cwd)}`;
}
