import { switchCommand } from "../../hooks/switch-command.ts";

/** `tenterhook enable NAME`. */
export const run = switchCommand(true);
