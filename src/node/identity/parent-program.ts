import { ancestorsOf } from "./ancestors.ts";

const SHELLS = /^-?(?:sh|bash|dash|ash|zsh|ksh|fish|busybox|env)$/;
const MOST_PARENTS = 5;

/** The variable in which a hook that names it in `env` gets the id of the agent's process. */
export const AGENT_PID = "TENTERHOOK_AGENT_PID";

/**
 * The first process that is no shell, from this one upwards; `undefined` when the system does not say, and when a person
 * typed the command: what is above the shell of a terminal is the terminal. Never throws.
 */
export function programAbove(first: number): number | undefined {
  for (const { pid, name, leadsSession, hasTerminal } of ancestorsOf(first).slice(0, MOST_PARENTS)) {
    if (pid === 1) return undefined;
    if (!SHELLS.test(name)) return pid;
    if (hasTerminal && leadsSession) return undefined;
  }
  return undefined;
}
