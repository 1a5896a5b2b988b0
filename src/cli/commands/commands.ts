import type { CommandRow } from "../command-line/command.ts";
import { AGENT_COMMANDS } from "./agent/rows.ts";
import { BRIDGE_COMMANDS } from "./bridges/rows.ts";
import { HOOK_COMMANDS } from "./hooks/rows.ts";
import { MONITOR_COMMANDS } from "./monitor/rows.ts";

/** Options of every command. */
export const COMMON_OPTIONS = [
  { flags: "--json", description: "Print JSON." },
  { flags: "--debug", description: "Show the stack trace of an error." },
] as const;

/** All commands. Help, usage errors and the reference page are made from this table. */
export const COMMANDS: readonly CommandRow[] = [
  ...AGENT_COMMANDS,
  ...HOOK_COMMANDS,
  ...BRIDGE_COMMANDS,
  ...MONITOR_COMMANDS,
];
