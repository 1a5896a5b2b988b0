import { runHook } from "../../../hook/process/run-hook.ts";
import type { CommandRun } from "../../command-line/command.ts";

/** `tenterhook hook` with options; without options, bin.ts runs it alone. */
export const run: CommandRun = ({ environment }) => runHook([], environment);
