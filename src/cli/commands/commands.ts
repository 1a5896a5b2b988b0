import type { CommandRow } from "../command-line/command.ts";
import { AGENT_COMMANDS } from "./agent/rows.ts";
import { BRIDGE_COMMANDS } from "./bridges/rows.ts";
import { HOOK_COMMANDS } from "./hooks/rows.ts";
import { MONITOR_COMMANDS } from "./monitor/rows.ts";

/** Options every command has. */
export const COMMON_OPTIONS = [
  { flags: "--json", description: "Print the result for programs." },
  { flags: "--debug", description: "Show where an error comes from." },
] as const;

/** The one table of commands; help, usage errors and the reference page are made from it. */
export const COMMANDS: readonly CommandRow[] = [
  ...AGENT_COMMANDS,
  ...HOOK_COMMANDS,
  ...BRIDGE_COMMANDS,
  ...MONITOR_COMMANDS,
];
