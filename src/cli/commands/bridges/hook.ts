import type { CommandRun } from "../../command-line/command.ts";
import { runHook } from "../../hook/run-hook.ts";

/** `tenterhook hook`, when it is called with options: without any, the program that starts everything runs it alone. */
export const run: CommandRun = ({ environment }) => runHook([], environment);
