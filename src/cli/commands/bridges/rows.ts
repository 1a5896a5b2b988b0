import type { CommandOption, CommandRow } from "../../command-line/command.ts";

/** Options of every command that works with another agent's settings. */
const SETTINGS_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--scope <scope>",
    description: "Whose settings: project (default), user or local.",
    choices: ["project", "user", "local"],
  },
  { flags: "--settings <file>", description: "A settings file of your own instead." },
];

export const BRIDGE_COMMANDS: readonly CommandRow[] = [
  {
    name: "install",
    arguments: [["[agents...]", "claude. With --sync: default all agents we are installed in."]],
    summary: "Put our hooks into another agent's settings: one configuration then decides there too.",
    details:
      "Writes one entry for each event that the hooks in force need, and nothing else; everything that is there stays as it is. A file of which the agent would read nothing, for its comments, is refused. The file as it was is kept in the state folder.",
    options: [
      ...SETTINGS_OPTIONS,
      { flags: "--dry-run", description: "Only show what would change, as a diff." },
      { flags: "--sync", description: "Bring what is installed up to the configuration." },
      {
        flags: "--fast",
        description:
          "Have the agent ask the daemon itself. Needs one that runs as a service; there is none yet.",
      },
      {
        flags: "--strip-comments",
        description:
          "Take comments and trailing commas out of the settings where the agent would read none of them.",
      },
      {
        flags: "--trust",
        description: "Show the project's hooks and trust them too, as tenterhook trust --yes does.",
      },
    ],
    examples: [
      ["tenterhook install claude", "for everybody who starts Claude Code in this project"],
      ["tenterhook install claude --scope user", "wherever you start it, subfolders too"],
      ["tenterhook install claude --dry-run", "look first"],
    ],
    load: () => import("./install.ts"),
  },
  {
    name: "uninstall",
    arguments: [["<agents...>", "claude."]],
    summary: "Take our hooks out of another agent's settings: the file is what it was before.",
    options: [
      ...SETTINGS_OPTIONS,
      { flags: "--dry-run", description: "Only show what would change, as a diff." },
    ],
    examples: [["tenterhook uninstall claude", "take them out of the project's settings"]],
    load: () => import("./uninstall.ts"),
  },
  {
    name: "import",
    arguments: [["<agent>", "claude."]],
    summary:
      "Make hooks of ours of those in another agent's settings, and say what could not be carried over.",
    details:
      "Adds them to the configuration of the same scope, the project's by default; comments stay, and what is there already is not written again. A hook whose agent lets calls pass when it fails comes with on_failure: open, for you to look at.",
    options: [
      ...SETTINGS_OPTIONS,
      { flags: "--dry-run", description: "Only show what would be written, as a diff." },
      { flags: "-y, --yes", description: "Write without asking." },
    ],
    examples: [["tenterhook import claude --dry-run", "what would become of the project's hooks"]],
    load: () => import("./import.ts"),
  },
  {
    name: "doctor",
    summary:
      "Say whether hooks will really run: agents found, settings, trust, scripts, what an agent can't do.",
    examples: [["tenterhook doctor", "everything that counts in this folder"]],
    load: () => import("./doctor.ts"),
  },
  {
    name: "hook",
    summary: "Decide one event of another agent: its payload on stdin, what it must read on stdout.",
    details:
      "This is the command that install writes. The agent is recognised by what it sends. What can't be decided is refused where the event is a gate.",
    examples: [["tenterhook hook < payload.json", "what an agent would be told"]],
    load: () => import("./hook.ts"),
  },
];
