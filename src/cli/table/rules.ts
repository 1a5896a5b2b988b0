import type { CommandGroup, CommandRow } from "../command-line/command.ts";
import { LOCAL, NAMED_HOOK, PACK_NAMES, PROJECT, SINCE, USER } from "./options.ts";

const COMMANDS: readonly CommandRow[] = [
  {
    name: "add",
    arguments: [
      {
        usage: "<packs...>",
        description: `${PACK_NAMES.join(", ")}; or the address of a policy: git+https://HOST/PATH.git#REVISION, npm:NAME@VERSION.`,
        completes: ["packs"],
      },
    ],
    summary:
      "Add packs, which are sets of hooks that ship with Tenterhook, or a team's policy to a configuration.",
    details:
      "Creates the file if it does not exist; backs up a file before changing it. A trusted file stays trusted. A policy is fetched and shown first, as tenterhook update does.",
    options: [
      USER,
      LOCAL,
      {
        flags: "--shadow",
        description: "Only record what the packs would have done, until tenterhook on puts them in force.",
      },
      { flags: "-y, --yes", description: "Take a policy without being asked." },
    ],
    examples: [
      ["tenterhook add git-safety", "one pack more in this project"],
      ["tenterhook add git-safety --shadow", "see first what it would stop"],
      ["tenterhook add safe-shell protect-secrets --user", "in every project"],
      ["tenterhook add npm:@acme/agent-policy@2", "the policy of a team"],
    ],
    load: () => import("../commands/hooks/add.ts"),
  },
  {
    name: "update",
    arguments: [
      { usage: "[policies...]", description: "Addresses as hooks.use names them. Default: all of them." },
    ],
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
    load: () => import("../commands/hooks/update.ts"),
  },
  {
    name: "list",
    arguments: [
      {
        usage: "[name]",
        description: "A hook, the beginning of its name, or a rule of a pack: shows all of it.",
        completes: ["hooks", "rules"],
      },
    ],
    summary: "List the hooks in force: origin, trust, number of runs, and which will fail; or show one.",
    details:
      "With a name: its definition, matcher, failure policy, file and recent runs; of a rule, what it stops and lets through.",
    options: [
      { flags: "--event <name>", description: "Only hooks on this event." },
      { flags: "--tool <name>", description: "Only hooks that could match calls of this tool." },
      { flags: "--disabled", description: "Only hooks that are off." },
      { flags: "--failing", description: "Only hooks that will fail, with the reason." },
      { flags: "--since <time>", description: `Count runs in this project since then. ${SINCE} Default 7d.` },
      {
        flags: "-v, --verbose",
        description: "Every hook of a pack too, with mean time, priority, line and type.",
      },
    ],
    examples: [
      ["tenterhook list", "every hook, by pack and file"],
      ["tenterhook list --event PreToolUse --tool Bash", "what looks at shell calls"],
      ["tenterhook list safe-shell-git", "what the hook does and what it did"],
      ["tenterhook list git-force-push", "what a rule stops and lets through"],
    ],
    load: () => import("../commands/hooks/list.ts"),
  },
  {
    name: "on",
    arguments: [{ ...NAMED_HOOK, usage: "[name]" }],
    summary: "Switch a hook, a pack or a rule of one on, also in running processes.",
    details:
      "Without a name it ends what tenterhook off --for began for everything. Of a hook or pack in shadow mode it lists the calls that would have been stopped and what happened to them; after you agree, it removes mode: shadow from the file, and keeps a backup of it.",
    options: [
      USER,
      PROJECT,
      LOCAL,
      {
        flags: "--since <time>",
        description: `For a shadow: look at calls since then. ${SINCE} Default 30d.`,
      },
      { flags: "-y, --yes", description: "Ask nothing." },
    ],
    examples: [
      ["tenterhook on model-usage-tracker", "take it out of every hooks.disabled"],
      ["tenterhook on git-safety", "out of the shadow: the evidence, then the question"],
    ],
    load: () => import("../commands/hooks/on.ts"),
  },
  {
    name: "off",
    arguments: [{ ...NAMED_HOOK, usage: "[name]" }],
    summary: "Switch a hook, a pack or a rule of one off, also in running processes.",
    details:
      "Only a person may do it. Without a name, everything but managed hooks and self-protection is off, for a while and in every project.",
    options: [
      { flags: "--for <time>", description: "It is on again after this time, such as 30m or 2h." },
      USER,
      PROJECT,
      LOCAL,
    ],
    examples: [
      ["tenterhook off model-usage-tracker", "off for you, on this machine"],
      ["tenterhook off model-usage-tracker --project", "off for everybody in the project"],
      ["tenterhook off safe-shell", "a pack as a whole"],
      ["tenterhook off git-clean", "one rule of a pack"],
      ["tenterhook off git-force-push --for 30m", "for a while"],
    ],
    load: () => import("../commands/hooks/off.ts"),
  },
  {
    name: "explain",
    arguments: [
      {
        usage: "<event>",
        description: "A shell command in quotes, a file with an event as JSON, or - to read one from stdin.",
      },
    ],
    takes_line: true,
    summary: "Show what hooks decide about a call, why, and how they read it.",
    details:
      "Really runs the matching hooks, but records nothing. An event with only tool_name and tool_input is read as a PreToolUse in this folder.",
    options: [
      { flags: "--dry", description: "Only show which hooks would run." },
      { flags: "-v, --verbose", description: "Every hook: whether it was asked, and why." },
      {
        flags: "--agent <name>",
        description: "The agent program the event comes from.",
        completes: "agents",
      },
    ],
    examples: [
      [`tenterhook explain "rm -rf ~"`, "what would happen to this command?"],
      ["tenterhook explain event.json -v", "why was it denied, and which hooks let it pass?"],
    ],
    load: () => import("../commands/hooks/explain.ts"),
  },
];

export const RULES_GROUP: CommandGroup = {
  title: "Rules",
  lines: [
    ["add PACK|ADDRESS", "a pack or a team's policy (--shadow: only record)"],
    ["update", "take the newest version of your team's policies"],
    ["list [NAME]", "hooks in force; NAME: what it does, which file"],
    ["on NAME, off NAME", "switch a hook, rule or pack (off --for 30m)"],
    [`explain "COMMAND"`, "would this call be stopped, and why"],
  ],
  commands: COMMANDS,
};
