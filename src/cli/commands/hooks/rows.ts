import { VERDICTS } from "../../../journal/verdict.ts";
import { PACKS } from "../../../rules/packs/packs.ts";
import type { CommandRow } from "../../command-line/command.ts";

const SCOPE = "Which file to change: local (this machine), project or user.";

export const HOOK_COMMANDS: readonly CommandRow[] = [
  {
    name: "init",
    summary: "Write a starter configuration for this project, or for all of yours.",
    details:
      "Creates .tenterhook/hooks.yaml with packs of your choice, a reference to the schema for editors, and a .gitignore for hooks.local.yaml. These files are trusted. On a terminal you choose the packs; elsewhere they are safe-shell and protect-secrets.",
    options: [
      {
        flags: "--scope <scope>",
        description: "project (default), or user: your own file, which counts in every project.",
        choices: ["project", "user"],
      },
      {
        flags: "--pack <names...>",
        description: `Which packs to use: ${[...PACKS.keys()].join(", ")}, or none.`,
        completes: [...PACKS.keys(), "none"],
      },
      {
        flags: "--force",
        description:
          "Replace an existing configuration, and keep a copy of it in the state folder; or create one below a parent folder that already has one.",
      },
      { flags: "-y, --yes", description: "Ask nothing. Never replaces a configuration." },
    ],
    examples: [
      ["tenterhook init", "start with hooks in this folder"],
      ["tenterhook init --scope user --pack safe-shell git-safety", "hooks of your own, in every project"],
    ],
    load: () => import("./init.ts"),
  },
  {
    name: "use",
    arguments: [
      [
        "<packs...>",
        `${[...PACKS.keys()].join(", ")}; or the address of a policy: git+https://HOST/PATH.git#REVISION, npm:NAME@VERSION.`,
      ],
    ],
    completes: [["packs"]],
    summary:
      "Add packs, which are sets of hooks that ship with Tenterhook, or a team's policy to a configuration.",
    details:
      "Creates the file if it does not exist; backs up a file before changing it. A trusted file stays trusted. A policy is fetched and shown first, as tenterhook update does.",
    options: [
      {
        flags: "--scope <scope>",
        description: "Which file to change: project (default), local (this machine) or user.",
        choices: ["project", "local", "user"],
      },
      {
        flags: "--mode <mode>",
        description: "shadow: only record what the packs would have done; tenterhook promote ends that.",
        choices: ["enforce", "shadow"],
      },
      { flags: "-y, --yes", description: "Take a policy without being asked." },
    ],
    examples: [
      ["tenterhook use git-safety", "one pack more in this project"],
      ["tenterhook use git-safety --mode shadow", "see first what it would stop"],
      ["tenterhook use safe-shell protect-secrets --scope user", "in every project"],
      ["tenterhook use npm:@acme/agent-policy@2", "the policy of a team"],
    ],
    load: () => import("./use.ts"),
  },
  {
    name: "update",
    arguments: [["[policies...]", "Addresses as hooks.use names them. Default: all of them."]],
    summary: "Fetch the policies that hooks.use names by address, and show what changes.",
    details:
      "Fetches git+https://host/team/policy.git#REVISION with git and npm:NAME@VERSION with npm, shows the difference to the files that are here, and asks. The files go beside the configuration file, in policy/, and their hash into policy.lock: commit both. Runs no code of a policy. Nothing is fetched at any other time.",
    options: [
      { flags: "--check", description: "Change nothing; exit with 1 when there is something to take." },
      { flags: "-y, --yes", description: "Take the changes without being asked." },
    ],
    examples: [
      ["tenterhook update", "what has changed in the team's policy?"],
      ["tenterhook update --check", "in CI: is the policy that is committed still the newest?"],
    ],
    load: () => import("./update.ts"),
  },
  {
    name: "list",
    summary: "List the hooks in force: origin, trust, number of runs, and which will fail.",
    options: [
      { flags: "--event <name>", description: "Only hooks on this event." },
      { flags: "--tool <name>", description: "Only hooks that could match calls of this tool." },
      {
        flags: "--scope <scope>",
        description: "Only hooks of this scope.",
        choices: ["managed", "user", "project", "local"],
      },
      { flags: "--disabled", description: "Only disabled hooks." },
      { flags: "--failing", description: "Only hooks that will fail, with the reason." },
      {
        flags: "--since <time>",
        description: "Count runs in this project since then: 24h, 7d, a date. Default 7d.",
      },
    ],
    examples: [
      ["tenterhook list", "every hook, by pack and file"],
      ["tenterhook list --event PreToolUse --tool Bash", "what looks at shell calls"],
    ],
    load: () => import("./list.ts"),
  },
  {
    name: "show",
    arguments: [["<name>", "The hook; the beginning of its name is enough. Or a rule of a pack."]],
    completes: [["hooks", "rules"]],
    summary: "Show one hook: definition, matcher, failure policy and recent runs; or one rule of a pack.",
    examples: [
      ["tenterhook show safe-shell-git", "what the hook does and what it did"],
      ["tenterhook show git-force-push", "what a rule stops and lets through"],
    ],
    load: () => import("./show.ts"),
  },
  {
    name: "enable",
    arguments: [["<name>", "The hook, the beginning of its name, a pack, or a rule of one."]],
    completes: [["hooks", "packs", "rules"]],
    summary: "Enable a hook, a pack or a rule of one, also in running processes.",
    options: [{ flags: "--scope <scope>", description: SCOPE, choices: ["local", "project", "user"] }],
    examples: [["tenterhook enable model-usage-tracker", "take it out of every hooks.disabled"]],
    load: () => import("./enable.ts"),
  },
  {
    name: "disable",
    arguments: [["<name>", "The hook, the beginning of its name, a pack, or a rule of one."]],
    completes: [["hooks", "packs", "rules"]],
    summary: "Disable a hook, a pack or a rule of one, also in running processes.",
    options: [{ flags: "--scope <scope>", description: SCOPE, choices: ["local", "project", "user"] }],
    examples: [
      ["tenterhook disable model-usage-tracker", "off for you, on this machine"],
      ["tenterhook disable model-usage-tracker --scope project", "off for everybody in the project"],
      ["tenterhook disable safe-shell", "a pack as a whole"],
      ["tenterhook disable git-clean", "one rule of a pack"],
    ],
    load: async () => ({ run: (await import("./enable.ts")).disable }),
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
    load: () => import("./reach.ts"),
  },
  {
    name: "log",
    summary: "Show what hooks decided in this project and what came of it: which call, which hook, why.",
    details:
      "One line for each decision. `ask → refused` was asked and refused, by a human or because the agent can't ask. Decisions about which no hook had anything to say are left out.",
    options: [
      { flags: "-f, --follow", description: "Go on showing decisions as they are made." },
      { flags: "--hook <name>", description: "Only decisions of this hook.", completes: "hooks" },
      {
        flags: "--agent <name>",
        description: "Only events of this agent, such as claude, codex or tenterhook.",
        completes: "agents",
      },
      {
        flags: "--verdict <verdict>",
        description:
          "Only these decisions; deny: everything that was stopped, also what was asked and refused.",
        choices: [...VERDICTS, "failed"],
      },
      { flags: "--stopped", description: "Only what was stopped, and how many of all calls that were." },
      { flags: "--since <time>", description: "A duration (30m, 24h, 7d) or a date. Default 7d." },
      {
        flags: "-n, --lines <number>",
        description: "How many decisions at first. Default 50.",
        highest: 9_999_999,
      },
      { flags: "-v, --verbose", description: "Also what each hook said, and its rule." },
      { flags: "--all", description: "Also decisions without anything to say." },
      { flags: "--all-projects", description: "Decisions of every project, with project and session." },
    ],
    examples: [
      ["tenterhook log --stopped", "what was stopped in the last seven days?"],
      ["tenterhook log --follow", "watch hooks at work"],
    ],
    load: () => import("./log.ts"),
  },
  {
    name: "stats",
    summary:
      "Show what was decided in this project by day and agent, what agents cost, and what each hook did: runs, denials, questions, failures and durations.",
    options: [
      { flags: "--all", description: "All projects, hook by hook and project by project." },
      { flags: "--since <time>", description: "A duration (30m, 24h, 7d) or a date. Default 7d." },
      { flags: "--session <id>", description: "Only this session; the beginning of its id is enough." },
    ],
    examples: [
      ["tenterhook stats --since 24h", "the last day in this project"],
      ["tenterhook stats --all", "in every project"],
    ],
    load: () => import("./stats.ts"),
  },
  {
    name: "validate",
    arguments: [["[files...]", "Files to check. Default: all files that apply to this folder."]],
    summary: "Check configuration files and report every problem with file, line and column.",
    options: [
      {
        flags: "--format <format>",
        description: "json, or github for annotations in a workflow.",
        choices: ["json", "github"],
      },
    ],
    examples: [
      ["tenterhook validate", "everything that counts in this folder, .agent/hook.toml too"],
      ["tenterhook validate team.yaml", "one file"],
    ],
    load: () => import("./validate.ts"),
  },
  {
    name: "trust",
    arguments: [
      [
        "[names...]",
        "Files to trust, by path or by a hook in them, with the programs they run. Default: everything.",
      ],
    ],
    completes: [["hooks"]],
    summary: "Show what the project's hooks would run, and trust them.",
    options: [
      { flags: "-y, --yes", description: "Trust without asking, at a terminal." },
      {
        flags: "--digest <sha256>",
        description:
          "Trust without asking, and without a terminal, if it is what --list shows with this digest.",
      },
      { flags: "--revoke", description: "Revoke the trust in this project." },
      { flags: "--list", description: "Show what is trusted and what is not." },
    ],
    examples: [
      ["tenterhook trust", "look, then decide"],
      ["tenterhook trust .tenterhook/hooks.yaml", "one file and the programs it runs"],
      ["tenterhook trust --list", "what is trusted now"],
    ],
    load: () => import("./trust.ts"),
  },
  {
    name: "plugin",
    arguments: [
      ["<action>", "new."],
      ["<name>", "The name of the package, for example tenterhook-acme or @acme/hooks."],
    ],
    completes: [[["new"]], []],
    summary: "Write the files of a plug-in: an npm package of hooks that others can use.",
    details:
      "Makes a folder with a plug-in, its test, and the hooks.yaml that lets configurations use it. The guide is publish-hooks.",
    examples: [["tenterhook plugin new tenterhook-acme", "a package in the folder tenterhook-acme"]],
    load: () => import("./plugin.ts"),
  },
  {
    name: "explain",
    arguments: [
      ["<event>", "A shell command in quotes, a file with an event as JSON, or - to read one from stdin."],
    ],
    takes_line: true,
    summary: "Show what hooks decide about a call, why, and how they read it.",
    details:
      "Really runs the matching hooks, but records nothing. An event with only tool_name and tool_input counts as a PreToolUse in this folder.",
    options: [
      { flags: "--dry", description: "Only show which hooks would run." },
      { flags: "-v, --all", description: "Every hook: whether it was asked, and why." },
      {
        flags: "--agent <name>",
        description: "The agent program the event comes from.",
        completes: "agents",
      },
    ],
    examples: [
      [`tenterhook explain "rm -rf ~"`, "what would happen to this command?"],
      ["tenterhook explain event.json --all", "why was it denied, and by which hooks not?"],
    ],
    load: () => import("./explain.ts"),
  },
];
