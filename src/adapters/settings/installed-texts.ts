/** What somebody without our program reads in the agent. A shell's `echo` prints it as it is. */
export const MISSING =
  "Tenterhook is not installed, so this is refused. Run npm install in the project, or npm install -g tenterhook.";

/** The comment in a file that is ours as a whole. */
export const OWNED_MARK = "tenterhook install wrote this file, and tenterhook uninstall removes it.";
