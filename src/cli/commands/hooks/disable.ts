import { switchCommand } from "./enable.ts";

/** `tenterhook disable NAME`. */
export const run = switchCommand(false);
