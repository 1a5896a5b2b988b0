import type { CommandGroup, CommandRow } from "../command-line/command.ts";
import { AGENTS, MANAGED, PACK_NAMES, SETTINGS_OPTIONS, USER } from "./options.ts";

const COMMANDS: readonly CommandRow[] = [
  {
    name: "init",
    summary: "Write a starter configuration for this project, or for all of yours.",
    details:
      "Creates .tenterhook/hooks.yaml with packs of your choice, a reference to the schema for editors, and a .gitignore for hooks.local.yaml. These files are trusted. On a terminal you choose the packs; elsewhere they are safe-shell and protect-secrets.",
    options: [
      USER,
      {
        flags: "--pack <names...>",
        description: `Which packs to use: ${PACK_NAMES.join(", ")}, or none.`,
        completes: [...PACK_NAMES, "none"],
      },
      {
        flags: "--plugin <name>",
        description:
          "Write an npm package of hooks that others can use, in a folder of this name. The guide is tenterhook help sharing.",
      },
      { flags: "--ts", description: "With --plugin: write it in TypeScript, with its declarations." },
      {
        flags: "--force",
        description:
          "Replace an existing configuration, and keep a copy of it in the state folder; or create one below a parent folder that already has one.",
      },
      { flags: "-y, --yes", description: "Ask nothing. Never replaces a configuration." },
    ],
    examples: [
      ["tenterhook init", "start with hooks in this folder"],
      ["tenterhook init --user --pack safe-shell git-safety", "hooks of your own, in every project"],
      ["tenterhook init --plugin tenterhook-acme", "a package in the folder tenterhook-acme"],
      ["tenterhook init --plugin tenterhook-acme --ts", "the same in TypeScript"],
    ],
    load: () => import("../commands/hooks/init.ts"),
  },
  {
    name: "install",
    calls_later: true,
    arguments: [
      {
        usage: "[agents...]",
        description: `${AGENTS} Default: on a terminal, it offers those that it finds on this machine; with --sync, all in which Tenterhook is installed.`,
        completes: ["agents"],
      },
    ],
    summary: "Add Tenterhook to an agent's settings, so that your hooks decide about its calls.",
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
          "Also have Claude Code's status line tell the monitor its context window, cost and rate limits. Your own status line stays as it looks. Needs --user.",
      },
      {
        flags: "--trust",
        description:
          "Also show and trust the project's hooks, like tenterhook trust --yes, and record it where the agent has a trust of its own (Codex).",
      },
      {
        flags: "-v, --verbose",
        description:
          "Also for which events the agent calls Tenterhook, and what else is worth knowing of it.",
      },
    ],
    examples: [
      ["tenterhook install claude", "for everybody who starts Claude Code in this project"],
      ["tenterhook install claude --user", "wherever you start it, subfolders too"],
      [
        "tenterhook install claude --user --status-line",
        "the monitor shows cost and limits as Claude Code says them",
      ],
      ["tenterhook install claude --dry-run", "look first"],
      ["tenterhook install --all", "every agent on this machine"],
      ["sudo tenterhook install claude --managed", "for every user, and nobody can take it out"],
    ],
    load: () => import("../commands/integrations/install.ts"),
  },
  {
    name: "uninstall",
    arguments: [{ usage: "[agents...]", description: AGENTS, completes: ["agents"] }],
    summary: "Remove Tenterhook from another agent's settings. The file becomes what it was before.",
    options: [
      ...SETTINGS_OPTIONS,
      MANAGED,
      { flags: "--dry-run", description: "Only show the changes, as a diff." },
      { flags: "--all", description: "Remove it from every agent, in every file." },
      {
        flags: "--everything",
        description:
          "The same in every project, and delete all that Tenterhook has stored. Your configuration stays.",
      },
      { flags: "-y, --yes", description: "With --everything: ask nothing." },
    ],
    examples: [
      ["tenterhook uninstall claude", "take it out of the project's settings"],
      ["tenterhook uninstall --all", "out of every agent's settings, your own too"],
      ["tenterhook uninstall --everything", "leave nothing but your configuration"],
    ],
    load: () => import("../commands/integrations/uninstall.ts"),
  },
  {
    name: "import",
    calls_later: true,
    arguments: [
      {
        usage: "[agent]",
        description:
          "claude, codex, copilot, cursor, gemini or qwen. Without one, import says which hooks it finds on this machine.",
        completes: ["agents"],
      },
      {
        usage: "[files...]",
        description:
          "Settings files, names or folders of plug-ins, hooks.json files, or agents, skills and commands (.md). Default: the settings of the project, with the agents, skills and commands next to them.",
      },
    ],
    summary: "Convert another agent's hooks to Tenterhook hooks and say, hook by hook, what differs.",
    details:
      "Adds them to the configuration of the same scope, by default the project's. Keeps comments and skips hooks that are already there. If one of them crashes, the call goes on, as in the agent: they get on_failure: { default: open, untrusted: closed }. For guards, set on_failure: closed.",
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
    load: () => import("../commands/integrations/import.ts"),
  },
  {
    name: "trust",
    arguments: [
      {
        usage: "[names...]",
        description:
          "Files to trust, by path or by a hook in them, with the programs they run. Default: everything.",
        completes: ["hooks"],
      },
    ],
    summary: "Show what the project's hooks would run, and trust them.",
    options: [
      { flags: "-y, --yes", description: "Trust without asking, at a terminal." },
      {
        flags: "--digest <sha256>",
        description:
          "Trust without asking, and without a terminal, if it is what --list shows with this digest.",
      },
      {
        flags: "--repo <url>",
        description:
          "Also in clones of this repository with the same files, which a worker of the fleet makes for runs.",
      },
      { flags: "--revoke", description: "Revoke the trust in this project." },
      { flags: "--list", description: "Show what is trusted and what is not." },
    ],
    examples: [
      ["tenterhook trust", "look, then decide"],
      ["tenterhook trust .tenterhook/hooks.yaml", "one file and the programs it runs"],
      ["tenterhook trust --list", "what is trusted now"],
      ["tenterhook trust --repo https://host/team/app.git", "for runs with --repo, in a checkout of it"],
    ],
    load: () => import("../commands/hooks/trust.ts"),
  },
  {
    name: "check",
    arguments: [
      {
        usage: "[files...]",
        description: "Configuration files to check, and nothing else. Default: everything that applies here.",
      },
    ],
    summary:
      "Check that everything is right: configuration files, trust, scripts, connected agents and the daemon.",
    details:
      "Names each problem of a file with its line and column. Ends with 1 when something is wrong. Of files that you name it checks only what is in them.",
    options: [
      { flags: "-v, --verbose", description: "Also what is as it should be, and notes on each agent." },
      {
        flags: "--format <format>",
        description: "github for annotations in a workflow.",
        choices: ["github"],
      },
    ],
    examples: [
      ["tenterhook check", "everything that applies in this folder"],
      ["tenterhook check team.yaml", "one file"],
    ],
    load: () => import("../commands/start/check.ts"),
  },
  {
    name: "reach",
    summary: "Show what an agent could read or destroy here, and which of it hooks guard.",
    details:
      "Looks at known places by name (keys, credentials, environment files, work in git, databases, production contexts, Docker, sudo) and asks the rules and permissions in force about the usual ways to each. Reads no secret, runs none of these calls, and asks no hook that is a program or a model.",
    examples: [
      ["tenterhook reach", "what is open here?"],
      ["tenterhook reach --json", "each thing, the calls that were judged, and the answer"],
    ],
    load: () => import("../commands/hooks/reach.ts"),
  },
];

export const START_GROUP: CommandGroup = {
  title: "Start",
  lines: [
    ["tenterhook", "what guards this project, who waits, the next step"],
    ["init", "write a configuration with packs of your choice"],
    ["install [AGENT]", "connect your agents (uninstall takes it back)"],
    ["import [AGENT]", "bring the hooks you have in an agent's settings"],
    ["trust", "review what a project's hooks run, and approve it"],
    ["check", "is everything right: files, trust, agents, daemon"],
    ["reach", "what an agent could read or destroy here"],
  ],
  commands: COMMANDS,
};
