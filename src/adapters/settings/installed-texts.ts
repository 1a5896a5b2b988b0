const WAY_OUT = "Run npm install in the project, or npm install -g tenterhook.";

/** What somebody without our program reads in the agent at a gate. A shell's `echo` prints it as it is. */
export const MISSING = `Tenterhook is not installed, so this is refused. ${WAY_OUT}`;

/** The same where nothing is refused. */
export const MISSING_ELSEWHERE = `Tenterhook is not installed, so its hooks do not run. ${WAY_OUT}`;

/** The comment in a file that is ours as a whole. */
export const OWNED_MARK = "tenterhook install wrote this file, and tenterhook uninstall removes it.";
