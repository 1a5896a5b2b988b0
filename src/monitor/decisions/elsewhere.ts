import { terminalOf } from "../../node/identity/terminal-of.ts";
import { pathFromHome } from "../../node/user-folders.ts";
import { harmlessLine } from "../../shared/harmless.ts";
import type { AgentStatus, HumanRequest } from "../../shared/monitor/monitor.ts";
import { isCarriedOut } from "../report/actions.ts";
import { hasGone } from "../report/agent-process.ts";

/** How far the clocks of a team's machines may be apart. */
const CLOCKS_APART_MILLISECONDS = 10 * 60 * 1000;

/** Until when a hook may take the answer, by the clock of this machine, in milliseconds since 1970. */
export function endOfWait({ machine, waits_until }: HumanRequest): number {
  if (waits_until === undefined) return Number.POSITIVE_INFINITY;
  return Date.parse(waits_until) + (machine === undefined ? 0 : CLOCKS_APART_MILLISECONDS);
}

/** True when an answer reaches somebody: a hook that still waits, or the monitor itself. */
export function isAnsweredHere(decision: HumanRequest): boolean {
  const { prompt, at_terminal } = decision;
  const isHeld = prompt !== undefined && at_terminal !== true && endOfWait(decision) > Date.now();
  return isHeld || isCarriedOut(decision);
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
  const { pid, cwd, machine } = agent ?? {};
  const terminal = agent === undefined || pid === undefined || hasGone(agent) ? undefined : terminalOf(pid);
  if (terminal !== undefined) return `: ${harmlessLine(terminal)}`;
  const where = machine === undefined ? "" : `, on ${machine}`;
  return cwd === undefined
    ? where
    : `${where}, in ${harmlessLine(machine === undefined ? pathFromHome(cwd) : cwd)}`;
}
