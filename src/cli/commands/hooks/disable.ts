import { switchCommand } from "./enable.ts";

export const run = switchCommand(false);
