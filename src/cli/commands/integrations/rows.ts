import { AGENT_NAMES } from "../../../core/events/agent-names.ts";
import type { CommandOption, CommandRow } from "../../command-line/command.ts";

/** The agents that `install` knows. */
const AGENTS = `${AGENT_NAMES.toSorted().join(", ")}.`;

/** Options of every command that works with another agent's settings. */
const SETTINGS_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--scope <scope>",
    description: "Which settings: project (default), user or local.",
    choices: ["project", "user", "local"],
  },
  { flags: "--settings <file>", description: "Another settings file instead." },
];

const MANAGED: CommandOption = {
  flags: "--managed",
  description:
    "The settings of the whole machine, which an administrator writes: for the hooks of the managed file (claude, codex, gemini).",
};

export const INTEGRATION_COMMANDS: readonly CommandRow[] = [
  {
    name: "install",
    completes: [["agents"]],
    arguments: [
      [
        "[agents...]",
        `${AGENTS} Default: on a terminal, it offers those that it finds on this machine; with --sync, all in which Tenterhook is installed.`,
      ],
    ],
    summary: "Add Tenterhook to another agent's settings, so that the same configuration applies there.",
    details:
      "Writes one entry for each event that your hooks need, in a project's settings only for the tools they want, and changes nothing else. Calls the project's own copy of Tenterhook where the project depends on it. Refuses a file that the agent would ignore because of its comments. Stores a backup in the state folder.",
    options: [
      ...SETTINGS_OPTIONS,
      MANAGED,
      { flags: "--dry-run", description: "Only show the changes, as a diff." },
      { flags: "--all", description: "Install into every agent that is found on this machine." },
      { flags: "--sync", description: "Update what is installed to match the configuration." },
      {
        flags: "--strip-comments",
        description:
          "Remove comments and trailing commas from settings that the agent would otherwise ignore.",
      },
      {
        flags: "--status-line",
        description:
          "Also have Claude Code's status line tell the monitor its context window, cost and rate limits. Your own status line stays as it looks. Needs --scope user.",
      },
      {
        flags: "--trust",
        description:
          "Also show and trust the project's hooks, like tenterhook trust --yes, and record it where the agent has a trust of its own (Codex).",
      },
    ],
    examples: [
      ["tenterhook install claude", "for everybody who starts Claude Code in this project"],
      ["tenterhook install claude --scope user", "wherever you start it, subfolders too"],
      [
        "tenterhook install claude --scope user --status-line",
        "the monitor shows cost and limits as Claude Code says them",
      ],
      ["tenterhook install claude --dry-run", "look first"],
      ["tenterhook install --all", "every agent on this machine"],
      ["sudo tenterhook install claude --managed", "for every user, and nobody can take it out"],
    ],
    load: () => import("./install.ts"),
  },
  {
    name: "uninstall",
    completes: [["agents"]],
    arguments: [["[agents...]", AGENTS]],
    summary: "Remove Tenterhook from another agent's settings. The file becomes what it was before.",
    options: [
      ...SETTINGS_OPTIONS,
      MANAGED,
      { flags: "--dry-run", description: "Only show the changes, as a diff." },
      { flags: "--all", description: "Remove it from every agent, in every scope." },
    ],
    examples: [
      ["tenterhook uninstall claude", "take them out of the project's settings"],
      ["tenterhook uninstall --all", "out of every agent's settings, your own too"],
    ],
    load: () => import("./uninstall.ts"),
  },
  {
    name: "import",
    completes: [["agents"]],
    arguments: [
      [
        "[agent]",
        "claude, codex, copilot, cursor, gemini or qwen. Without one, import says which hooks it finds on this machine.",
      ],
      [
        "[files...]",
        "Settings files, names or folders of plug-ins, hooks.json files, or agents, skills and commands (.md). Default: the settings of the scope, with the agents, skills and commands next to them.",
      ],
    ],
    summary: "Convert another agent's hooks to Tenterhook hooks and say, hook by hook, what differs.",
    details:
      "Adds them to the configuration of the same scope, by default the project's. Keeps comments and skips hooks that are already there. Hooks whose failures the agent ignores get on_failure: { default: open, untrusted: closed }; review those.",
    options: [
      ...SETTINGS_OPTIONS,
      { flags: "--dry-run", description: "Only show the new text, as a diff." },
      {
        flags: "--remove",
        description: "Also remove the originals from the agent's files. Stores a backup in the state folder.",
      },
      {
        flags: "--undo",
        description:
          "Put back the originals that --remove took out, and take the imported hooks out of the configuration.",
      },
      {
        flags: "--check",
        description:
          "Write nothing. Run each command as the agent and as Tenterhook would, and show what differs. The commands really run.",
      },
      {
        flags: "--events <file>",
        description: "The events for --check: one payload of the agent a line. Default: samples.",
      },
      { flags: "-y, --yes", description: "Write, or run, without asking." },
    ],
    examples: [
      ["tenterhook import claude --check", "do they decide the same here?"],
      ["tenterhook import claude --dry-run", "what would become of the project's hooks"],
      ["tenterhook import claude --remove", "convert them, and remove the originals"],
      ["tenterhook import claude --undo", "everything back to where it was"],
      ["tenterhook import claude guard@market", "the hooks of a plug-in, by its name"],
    ],
    load: () => import("./import.ts"),
  },
  {
    name: "doctor",
    summary:
      "Check whether hooks will run: installed agents, settings, trust, scripts and what an agent does not support.",
    options: [
      { flags: "-v, --verbose", description: "Also what is as it should be, and notes on each agent." },
    ],
    examples: [["tenterhook doctor", "everything that counts in this folder"]],
    load: () => import("./doctor.ts"),
  },
  {
    name: "hook",
    summary: "Decide one event of another agent: reads its payload on stdin and writes the reply to stdout.",
    details:
      "install writes this command into the agent's settings. The agent is recognised by its payload. If no decision is possible, gates are refused.",
    examples: [["tenterhook hook < payload.json", "the reply that an agent would get"]],
    load: () => import("./hook.ts"),
  },
];
