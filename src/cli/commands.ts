import type { CommandRow } from "./command.ts";
import { AGENT_COMMANDS } from "./commands/agent.ts";
import { BRIDGE_COMMANDS } from "./commands/bridges.ts";
import { HOOK_COMMANDS } from "./commands/hooks.ts";
import { MONITOR_COMMANDS } from "./commands/monitor.ts";

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
