import { AGENT_NAMES } from "../../core/events/agent-names.ts";
import { PACKS } from "../../rules/packs/packs.ts";
import type { CommandArgument, CommandOption } from "../command-line/command.ts";

export const PACK_NAMES = [...PACKS.keys()];

/** What agents are called. */
export const AGENTS = `${AGENT_NAMES.toSorted().join(", ")}.`;

export const USER: CommandOption = { flags: "--user", description: "Your own file, for all your projects." };

export const PROJECT: CommandOption = {
  flags: "--project",
  description: "The project's file, for everybody who works in it.",
};

export const LOCAL: CommandOption = {
  flags: "--local",
  description: "The project's file that only this machine has.",
};

/** Options of every command that works with another agent's settings. */
export const SETTINGS_OPTIONS: readonly CommandOption[] = [
  { flags: "--user", description: "The agent's settings for all your projects." },
  { flags: "--project", description: "The project's settings (default where the agent has some)." },
  { flags: "--local", description: "The project's settings that only this machine has." },
  { flags: "--settings <file>", description: "Another settings file instead." },
];

export const MANAGED: CommandOption = {
  flags: "--managed",
  description:
    "The settings of the whole machine, which an administrator writes: for the hooks of the managed file (claude, codex, gemini).",
};

export const SINCE = "A duration (30m, 24h, 7d) or a date.";

export const NAMED_HOOK: CommandArgument = {
  usage: "<name>",
  description: "The hook, the beginning of its name, a pack, or a rule of one.",
  completes: ["hooks", "packs", "rules"],
};

export const NAMED_AGENT: CommandArgument = {
  usage: "<agent>",
  description: "Its name, or the beginning of its id or session.",
};

export const SESSION_ID: CommandArgument = {
  usage: "<id>",
  description: "The session or agent; the beginning of its id is enough.",
  completes: ["sessions"],
};
