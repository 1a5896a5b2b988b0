import type { CommandRow } from "../../command-line/command.ts";

const SCOPE = "Which file to change: local (this machine), project or user.";

/** The hooks in force, and the files they come from. */
export const HOOK_COMMANDS: readonly CommandRow[] = [
  {
    name: "init",
    summary: "Write a starter configuration for this project.",
    details:
      "Makes .tenterhook/hooks.yaml with the packs safe-shell and protect-secrets switched on, a line that tells editors the schema, and a .gitignore for hooks.local.yaml. What it wrote is trusted.",
    options: [
      {
        flags: "--force",
        description: "Replace a configuration that is there, or stand in front of one further up.",
      },
      { flags: "-y, --yes", description: "The same: answer every question with yes." },
    ],
    examples: [["tenterhook init", "start with hooks in this folder"]],
    load: () => import("./init.ts"),
  },
  {
    name: "list",
    summary: "List the hooks in force: from where, trusted, how often they ran, what will fail.",
    options: [
      { flags: "--event <name>", description: "Only hooks of this event." },
      { flags: "--tool <name>", description: "Only hooks that could match calls of this tool." },
      {
        flags: "--scope <scope>",
        description: "Only hooks of this scope.",
        choices: ["managed", "user", "project", "local"],
      },
      { flags: "--disabled", description: "Only hooks that are off." },
      { flags: "--failing", description: "Only hooks that will fail, with the reason." },
      { flags: "--since <time>", description: "Count runs of this long, or since a time. Default 7d." },
    ],
    examples: [
      ["tenterhook list", "every hook, in the order they are asked"],
      ["tenterhook list --event PreToolUse --tool Bash", "what looks at shell calls"],
    ],
    load: () => import("./list.ts"),
  },
  {
    name: "show",
    arguments: [["<name>", "The hook; the beginning of its name is enough."]],
    summary: "Show everything about one hook: definition, matcher, what a failure means, recent runs.",
    examples: [["tenterhook show safe-shell-git", "what the hook does and what it did"]],
    load: () => import("./show.ts"),
  },
  {
    name: "enable",
    arguments: [["<name>", "The hook; the beginning of its name is enough."]],
    summary: "Turn a hook on, in running processes too.",
    options: [{ flags: "--scope <scope>", description: SCOPE, choices: ["local", "project", "user"] }],
    examples: [["tenterhook enable model-usage-tracker", "take it out of every hooks.disabled"]],
    load: () => import("./enable.ts"),
  },
  {
    name: "disable",
    arguments: [["<name>", "The hook; the beginning of its name is enough."]],
    summary: "Turn a hook off, in running processes too.",
    options: [{ flags: "--scope <scope>", description: SCOPE, choices: ["local", "project", "user"] }],
    examples: [
      ["tenterhook disable model-usage-tracker", "off for you, on this machine"],
      ["tenterhook disable model-usage-tracker --scope project", "off for everybody in the project"],
    ],
    load: () => import("./disable.ts"),
  },
  {
    name: "stats",
    summary: "Show what hooks did: runs, denials, failures, times.",
    options: [
      { flags: "--since <time>", description: "A length of time (30m, 24h, 7d) or a time. Default 7d." },
      { flags: "--session <id>", description: "Only this session; the beginning of its id is enough." },
    ],
    examples: [["tenterhook stats --since 24h", "the last day"]],
    load: () => import("./stats.ts"),
  },
  {
    name: "validate",
    arguments: [["[files...]", "Files to check. Default: every file that counts here."]],
    summary: "Check configuration files: every problem with file, line and column.",
    examples: [
      ["tenterhook validate", "everything that counts in this folder, .agent/hook.toml too"],
      ["tenterhook validate team.yaml", "one file"],
    ],
    load: () => import("./validate.ts"),
  },
  {
    name: "trust",
    summary: "Show what the project's hooks would run, and trust them.",
    options: [
      { flags: "-y, --yes", description: "Trust without asking." },
      { flags: "--revoke", description: "Trust the project no longer." },
      { flags: "--list", description: "Show what is trusted and what is not." },
    ],
    examples: [
      ["tenterhook trust", "look, then decide"],
      ["tenterhook trust --list", "what is trusted now"],
    ],
    load: () => import("./trust.ts"),
  },
  {
    name: "explain",
    arguments: [["<event>", "A file with the event as JSON; - reads it from stdin."]],
    summary: "Say for an event which hooks match, why, and what they decide.",
    details:
      "Runs the matching hooks for real and records nothing. An event that has only tool_name and tool_input is taken for a PreToolUse in this folder.",
    options: [
      { flags: "--dry", description: "Only say which hooks would run." },
      { flags: "--agent <name>", description: "The agent program the event comes from." },
    ],
    examples: [
      ["tenterhook explain event.json", "why was it denied?"],
      [
        `echo '{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}' | tenterhook explain -`,
        "try a call",
      ],
    ],
    load: () => import("./explain.ts"),
  },
];
