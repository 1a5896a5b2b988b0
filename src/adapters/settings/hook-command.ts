import type { WantedEvent } from "./agent-settings.ts";
import { MISSING, MISSING_ELSEWHERE } from "./installed-texts.ts";

/** How an agent calls us. Agents that read each other's files drop equal commands. */
export const HOOK_COMMAND = "tenterhook hook";

/** Where a project keeps its own copy of our program. */
export const PROJECT_PROGRAM = "node_modules/.bin/tenterhook";

/** Where our program is kept in the state folder. */
export const KEPT_FOLDER = "program";

/**
 * Has a shell look last where our program is kept for somebody who has not installed it: npx leaves nothing on the PATH. Only
 * an absolute folder counts: another one is the project's. Some agents put the value of `$PATH` into their commands
 * themselves, without quotes; they leave `${PATH:-…}` alone.
 */
export const FIND = `kept=\${XDG_STATE_HOME-}; case $kept in /*) ;; *) kept=\${HOME-}/.local/state ;; esac; case $kept in /*) PATH="\${PATH:-/usr/local/bin:/usr/bin:/bin}:$kept/tenterhook/${KEPT_FOLDER}" ;; esac`;

/** All keys in which GitHub Copilot CLI, which shows nobody what is on stderr, reads a refusal. */
const IN_COPILOT = JSON.stringify({
  permissionDecision: "deny",
  permissionDecisionReason: MISSING,
  behavior: "deny",
  message: MISSING,
}).replaceAll('"', String.raw`\"`);

const MISSING_AT_GATE = `echo ${MISSING} >&2; exit 2`;

/** Our program takes the place of the shell. */
const RUN = 'exec "$0" "$@"';

/**
 * What a gate's command says and how it ends when our program is missing or fails, by what the agent makes of a hook that
 * fails.
 */
const GATES = {
  /** The agent refuses, and shows what is on stderr. */
  refuses: calling(MISSING_AT_GATE, RUN),
  /** The agent refuses, and reads the reason on stdout. */
  "refuses, reads stdout": calling(`echo ${MISSING} >&2; echo "${IN_COPILOT}"; exit 2`, RUN),
  /** The agent goes on, and has no switch for that: only exit code 2 refuses. */
  "goes on": calling(
    MISSING_AT_GATE,
    '"$0" "$@" || { echo Tenterhook did not decide, so this is refused. >&2; exit 2; }',
  ),
  /** The same, but our refusals end with exit code 2, too, and must not get a second reason. */
  "goes on, has our reason": calling(MISSING_AT_GATE, '"$0" "$@" || exit 2'),
} as const;

const ELSEWHERE = calling(`echo ${MISSING_ELSEWHERE} >&2; exit 1`, RUN);

/**
 * What an agent's settings have a shell run for an event. Where our program is missing it says so, refuses at a gate, and
 * lets everything else pass. Every shell reads it, fish too.
 */
export function hookCommand(
  { gate, command = HOOK_COMMAND }: Pick<WantedEvent, "gate" | "command">,
  onFailure: keyof typeof GATES = "refuses",
): string {
  return (gate ? GATES[onFailure] : ELSEWHERE)(command);
}

/**
 * One command, behind which nothing stands: Cursor gives the payload to the last command of a line alone. The shell that
 * looks for our program costs about a millisecond.
 */
function calling(missing: string, found: string) {
  return (command: string) =>
    `sh -c '${FIND}; command -v "$0" >/dev/null || { ${missing}; }; ${found}' ${command}`;
}

const HOOK = " hook";
const WAKE = " agent wake";

/** What waits for a message to an idle agent, next to the command that calls us; `undefined` where no shell reads our program. */
export function wakeCommand(command: string): string | undefined {
  return isHookCommand(command) && command.endsWith(HOOK)
    ? `${ELSEWHERE(command).slice(0, -HOOK.length)}${WAKE}`
    : undefined;
}

/** True for {@link wakeCommand}. */
export function isWakeCommand(command: unknown): boolean {
  return (
    typeof command === "string" &&
    command.endsWith(WAKE) &&
    isHookCommand(`${command.slice(0, -WAKE.length)}${HOOK}`)
  );
}

/** True for a command that calls us: the one on the PATH, or the project's own copy, alone or as {@link hookCommand} writes it. */
export function isHookCommand(command: unknown): boolean {
  if (typeof command !== "string") return false;
  const called = command.startsWith("sh -c ") ? command.slice(command.lastIndexOf("' ") + 2) : command;
  const written = [called, ...[...Object.values(GATES), ELSEWHERE].map((write) => write(called))];
  if (!written.includes(command)) return false;
  return called === HOOK_COMMAND || called.replaceAll(/["']/g, "").endsWith(`/${PROJECT_PROGRAM} hook`);
}
