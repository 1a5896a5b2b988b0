import { TRANSCRIPT_STATUSES } from "../../../core/contracts/transcript.ts";
import type { CommandOption, CommandRow } from "../../command-line/command.ts";

/** Options of every command that runs our agent. */
const WORK_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--model <name>",
    description:
      "provider/model, ollama/<model>, openai-compatible:<url>/<model> or scripted:<file>. Default: the session's, else models.default.",
  },
  { flags: "--cwd <folder>", description: "Where it works. Default: this folder, or the session's." },
  {
    flags: "--mode <mode>",
    description: "What goes on without asking. Default: the session's, else permissions.mode, else default.",
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

const DESPITE_DAMAGE: CommandOption = {
  flags: "--despite-damage",
  description: "Leave out what can't be read of a damaged session, and say what that is.",
};

export const AGENT_COMMANDS: readonly CommandRow[] = [
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
    load: () => import("./run.ts"),
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
        choices: TRANSCRIPT_STATUSES,
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
      "A turn that was cut off is completed: calls that may run again do, of others the model is told that their outcome is unknown. A message to a session that waits for a human is the answer; without one you are asked, and where nobody can be asked it says what it waits for. It goes on with its model and in its mode unless you choose others.",
    options: [...WORK_OPTIONS, DESPITE_DAMAGE],
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
      DESPITE_DAMAGE,
    ],
    grace_seconds: 60,
    examples: [
      [`tenterhook fork 3f2a --turn 1 "Try it without a library"`, "take another way from turn 2 on"],
    ],
    load: () => import("./fork.ts"),
  },
];
