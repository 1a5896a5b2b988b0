import { variablesOf } from "./ancestors.ts";
import { procStat } from "./process-identity.ts";

/** Linux numbers the terminals of windows from here on. */
const [FIRST_PTS, LAST_PTS, CONSOLE] = [136, 143, 4];
const MINORS = 256;

/**
 * The terminal that a process has, for a person to find: `tmux pane %4, /dev/pts/3`. `undefined` when it has none, or the system is
 * not Linux. Never throws.
 */
export function terminalOf(pid: number): string | undefined {
  const device = deviceOf(procStat(pid)?.terminal ?? 0);
  if (device === undefined) return undefined;
  const { TMUX_PANE, STY, TERM_PROGRAM } = variablesOf(pid) ?? {};
  if (TMUX_PANE !== undefined) return `tmux pane ${TMUX_PANE}, ${device}`;
  if (STY !== undefined) return `screen ${STY}, ${device}`;
  return TERM_PROGRAM === undefined ? device : `${TERM_PROGRAM}, ${device}`;
}

function deviceOf(number: number): string | undefined {
  const major = (number >> 8) & 0xfff;
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00);
  if (major >= FIRST_PTS && major <= LAST_PTS) return `/dev/pts/${(major - FIRST_PTS) * MINORS + minor}`;
  return major === CONSOLE ? `/dev/tty${minor}` : undefined;
}
