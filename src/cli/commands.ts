import type { CommandOption, CommandRow } from "./command.ts";

/** Options every command has. */
export const COMMON_OPTIONS = [
  { flags: "--json", description: "Print the result for programs." },
  { flags: "--debug", description: "Show where an error comes from." },
] as const;

const SCOPE = "Which file to change: local (this machine), project or user.";

/** Options of every command that has our agent work. */
const WORK_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--model <name>",
    description: "provider/model, ollama/<model>, openai-compatible:<url>/<model> or scripted:<file>.",
  },
  { flags: "--cwd <folder>", description: "Where it works. Default: this folder, or the session's." },
  {
    flags: "--mode <mode>",
    description: "What goes on without asking. Default: permissions.mode, else default.",
    choices: ["default", "plan", "accept-edits", "dont-ask", "bypass"],
  },
  {
    flags: "--max-iterations <count>",
    description: "How often the model is asked in a turn. Default 100.",
  },
  {
    flags: "-y, --yes",
    description: "Allow whatever would be asked about. What is denied stays denied.",
  },
  {
    flags: "--suspend",
    description: "When nobody can be asked: stop and wait for tenterhook resume, instead of refusing.",
  },
];

/** The one table of commands; help, usage errors and the reference page are made from it. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "demo",
    summary: "See everything in a minute, without a key: an agent, its hooks, what they do.",
    details:
      "A scripted agent works in a scratch folder with real tools, a real configuration and real hooks. Nothing of yours is read or changed, and the folder is removed afterwards.",
    options: [{ flags: "--keep", description: "Leave the scratch folder, to look around in it." }],
    grace_seconds: 30,
    examples: [["tenterhook demo", "watch"]],
    load: () => import("./demo.ts"),
  },
  {
    name: "run",
    arguments: [["<task...>", "What the agent is to do."]],
    summary: "Have our own agent work on one task, under the hooks of this folder.",
    details:
      "The model is --model, else models.default of the configuration, else anthropic/claude-sonnet-4-5. On a terminal you are asked about what needs your permission; elsewhere it is refused. --json prints everything that happens as lines of JSON. Ctrl-C interrupts the agent, a second one ends it at once.",
    options: [
      ...WORK_OPTIONS,
      {
        flags: "--resume <id>",
        description: "Go on with a session; the beginning of its id is enough.",
      },
    ],
    grace_seconds: 60,
    examples: [
      [`tenterhook run "Why do the tests fail?"`, "ask, and watch"],
      [
        `tenterhook run "Fix the typo in README.md" --mode accept-edits --json`,
        "for a program that reads along",
      ],
    ],
    load: () => import("./run-task.ts"),
  },
  {
    name: "sessions",
    summary: "List what our agent has worked on, the last first.",
    options: [
      { flags: "--all", description: "Of every folder, not only of this one." },
      { flags: "--agents", description: "Subagents too." },
      {
        flags: "--status <status>",
        description: "Only those that ended so, still run, or wait.",
        choices: ["running", "complete", "error", "cancelled", "limit", "suspended"],
      },
      { flags: "--since <time>", description: "Only those that did something since: 24h, 7d, a date." },
      { flags: "--limit <count>", description: "How many at most. Default 20." },
    ],
    examples: [
      ["tenterhook sessions", "what was done in this folder"],
      ["tenterhook sessions --all --status suspended", "what waits for an answer"],
    ],
    load: () => import("./sessions.ts"),
  },
  {
    name: "resume",
    arguments: [
      ["<id>", "The session or agent; the beginning of its id is enough."],
      ["[message...]", "What to say to it. Without a message it goes on with what it was at."],
    ],
    summary: "Go on with a session: after a kill, with an answer it waits for, or with a new message.",
    details:
      "A turn that was cut off is completed: calls that may run again do, of others the model is told that their outcome is unknown. A message to a session that waits for a human is the answer.",
    options: WORK_OPTIONS,
    grace_seconds: 60,
    examples: [
      ["tenterhook resume 3f2a", "finish what was cut off"],
      [`tenterhook resume 3f2a "yes"`, "answer what it waits for, or say something new"],
    ],
    load: () => import("./resume.ts"),
  },
  {
    name: "fork",
    arguments: [
      ["<id>", "The session or agent; the beginning of its id is enough."],
      ["[message...]", "What to say to the fork. Without a message it is only made."],
    ],
    summary: "Begin a session with the turns of another one, which stays as it is.",
    options: [
      { flags: "--turn <number>", description: "The last turn it shares, from 1 on. Default: all." },
      ...WORK_OPTIONS,
    ],
    grace_seconds: 60,
    examples: [
      [`tenterhook fork 3f2a --turn 1 "Try it without a library"`, "take another way from turn 2 on"],
    ],
    load: () => import("./fork.ts"),
  },
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
  {
    name: "install",
    arguments: [["[agents...]", "claude. With --sync: default all agents we are installed in."]],
    summary: "Put our hooks into another agent's settings: one configuration then decides there too.",
    details:
      "Writes one entry for each event that the hooks in force need, and nothing else; comments and everything that is there stay as they are. The file as it was is kept in the state folder.",
    options: [
      {
        flags: "--scope <scope>",
        description: "Whose settings: project (default), user or local.",
        choices: ["project", "user", "local"],
      },
      { flags: "--settings <file>", description: "A settings file of your own instead." },
      { flags: "--dry-run", description: "Only show what would change, as a diff." },
      { flags: "--sync", description: "Bring what is installed up to the configuration." },
      {
        flags: "--fast",
        description:
          "Have the agent ask the daemon itself. Needs one that runs as a service; there is none yet.",
      },
      { flags: "--trust", description: "Trust the project's hooks too, as tenterhook trust --yes does." },
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
      {
        flags: "--scope <scope>",
        description: "Whose settings: project (default), user or local.",
        choices: ["project", "user", "local"],
      },
      { flags: "--settings <file>", description: "A settings file of your own instead." },
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
      "Adds them to the project's configuration; comments stay. A hook whose agent lets calls pass when it fails comes with on_failure: open, for you to look at.",
    options: [
      {
        flags: "--scope <scope>",
        description: "Whose settings: project (default), user or local.",
        choices: ["project", "user", "local"],
      },
      { flags: "--settings <file>", description: "A settings file of your own instead." },
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
    load: () => import("./hook-command.ts"),
  },
  {
    name: "agent",
    arguments: [
      ["<action>", "hook or settings."],
      ["<words...>", "hook: pretooluse, stop or notify, and the agent's id. settings: the id."],
    ],
    summary: "What one agent's own hooks call, and the settings that hold them.",
    details:
      "agent hook reads a payload on stdin and tells the monitor when the agent waits for a human; stop keeps it going until it has signalled that it is done. agent settings prints the path of a copy of the project's settings with these hooks in it.",
    examples: [
      [
        'claude --settings "$(tenterhook agent settings worker-1)"',
        "start Claude Code as an agent that is watched",
      ],
      ["tenterhook agent hook notify worker-1 < payload.json", "what its Notification hook calls"],
    ],
    load: () => import("./agent.ts"),
  },
  {
    name: "emit",
    arguments: [
      ["<event>", "agent:signal, agent:prompt, agent:answer, agent:error or agent:idle."],
      ["[value...]", "What it says."],
    ],
    summary: "Tell the monitor something about an agent, or answer what it waits for.",
    options: [
      { flags: "--agent <id>", description: "The agent. Default: TENTERHOOK_AGENT_ID." },
      { flags: "--type <type>", description: "Of a prompt or an error." },
      {
        flags: "--prompt <id>",
        description: "agent:answer: what is answered; the beginning of its id is enough. Default: the last.",
      },
      { flags: "-m, --message <text>", description: "More about it." },
    ],
    examples: [
      ["tenterhook emit agent:signal --agent worker-1 complete", "the task is done"],
      ["tenterhook emit agent:answer --agent worker-1 Blue", "answer the question it is held at"],
    ],
    load: () => import("./emit.ts"),
  },
];
