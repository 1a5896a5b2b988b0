import { switchCommand } from "../../hooks/switch-command.ts";

/** `tenterhook disable NAME`. */
export const run = switchCommand(false);
