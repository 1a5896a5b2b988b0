import type { CommandGroup, CommandRow, CommandTable } from "../command-line/command.ts";
import { AGENT_COMMANDS } from "./agent/rows.ts";
import { SHELL_COMMANDS } from "./completion/rows.ts";
import { HOOK_COMMANDS } from "./hooks/rows.ts";
import { INTEGRATION_COMMANDS } from "./integrations/rows.ts";
import { KNOW_COMMANDS } from "./know/rows.ts";
import { MONITOR_COMMANDS } from "./monitor/rows.ts";
import { TEAM_COMMANDS } from "./team/rows.ts";

/** The commands by what they are for. Help, usage errors and the reference page are made from these tables. */
const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: "Hooks", commands: HOOK_COMMANDS },
  { title: "Know before you run", commands: KNOW_COMMANDS },
  { title: "Other agents", commands: INTEGRATION_COMMANDS },
  { title: "Tenterhook's own agent", commands: AGENT_COMMANDS },
  { title: "Agents that wait", commands: MONITOR_COMMANDS },
  { title: "More than one machine", commands: TEAM_COMMANDS },
  { title: "Your shell", commands: SHELL_COMMANDS },
];

export const COMMANDS: readonly CommandRow[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/** What `tenterhook` alone does. */
const START: CommandRow = {
  name: "tenterhook",
  summary: "Show what is in force here, which agents were found, what waits, and what to do next.",
  examples: [["tenterhook", "in a project"]],
  load: () => import("./start/start.ts"),
};

export const COMMAND_TABLE: CommandTable = { groups: COMMAND_GROUPS, commands: COMMANDS, start: START };
