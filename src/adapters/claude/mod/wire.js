/*
 * What our module in Claude Code and the rest of us say to each other: the module sends a question as client.sh sends a
 * call, and reads the reply that a settings hook would write. The files of this folder are copied as they are.
 */

/** Where the daemon takes questions of the module. The module of another version of ours may ask, too. */
export const LAST_GATE_PATH = "/last-gate/1";

/** The internal argument of `tenterhook hook` for a question of the module, which then no daemon answers. */
export const LAST_GATE_FLAG = "--last-gate";

/** The key of a payload that is no event: "loaded" tells that the module is, "plugin" asks whether one may act by itself, "state" asks for the state folder. */
export const TOPIC = "last_gate";

/** Below the state folder: the folders in which our program guards calls, a line each, as JSON. */
export const GUARDED_FILE = "last-gate/guarded";

/** Our plug-in and the folder marketplace that has it, in Claude Code's settings. */
export const PLUGIN = "tenterhook@tenterhook";
