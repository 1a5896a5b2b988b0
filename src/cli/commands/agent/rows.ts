import { TRANSCRIPT_STATUSES } from "../../../core/contracts/transcript.ts";
import type { CommandOption, CommandRow } from "../../command-line/command.ts";

/** Options of every command that runs our agent. */
const WORK_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--model <name>",
    description:
      "provider/model, ollama/<model>, openai-compatible:<url>/<model> or scripted:<file>. Default: the session's, else models.default.",
  },
  { flags: "--cwd <folder>", description: "The working folder. Default: this folder, or the session's." },
  {
    flags: "--mode <mode>",
    description:
      "What is allowed without asking. Default: the session's, else permissions.mode, else default.",
    choices: ["default", "plan", "accept-edits", "dont-ask", "bypass"],
  },
  {
    flags: "--max-iterations <count>",
    description: "How often the model may be called in a turn. Default 100.",
    highest: Number.POSITIVE_INFINITY,
  },
  {
    flags: "-y, --yes",
    description: "Approve everything you would be asked about. What is denied stays denied.",
  },
  {
    flags: "--suspend",
    description:
      "When nobody can be asked: suspend the session until tenterhook resume, instead of refusing.",
  },
];

const RESUME: CommandOption = {
  flags: "--resume <id>",
  description: "Continue a session; the beginning of its id is enough.",
  completes: "sessions",
};

const DESPITE_DAMAGE: CommandOption = {
  flags: "--despite-damage",
  description: "Skip what can't be read of a damaged session, and list it.",
};

export const AGENT_COMMANDS: readonly CommandRow[] = [
  {
    name: "demo",
    summary: "Watch an agent and its hooks at work for a minute. Needs no API key.",
    details:
      "A scripted agent works in a scratch folder with real tools, a real configuration and real hooks. None of your files are read or changed, and the folder is removed afterwards.",
    options: [{ flags: "--keep", description: "Keep the scratch folder so that you can look at it." }],
    grace_seconds: 30,
    examples: [["tenterhook demo", "watch"]],
    load: () => import("./demo.ts"),
  },
  {
    name: "run",
    arguments: [["<task...>", "The task."]],
    summary: "Run Tenterhook's own agent on one task, with the hooks of this folder.",
    details:
      "The model is --model, else models.default of the configuration, else anthropic/claude-sonnet-4-5. On a terminal you are asked for permission; elsewhere such calls are refused. --json prints every item as a line of JSON. Ctrl-C interrupts the agent; a second Ctrl-C ends it immediately.",
    options: [
      ...WORK_OPTIONS,
      {
        flags: "--attach <file>",
        description: "Give the model a file too: text, an image or a PDF document. Repeat it for more files.",
        repeated: true,
      },
      RESUME,
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
    name: "chat",
    arguments: [["[task...]", "A first message."]],
    summary: "Work with Tenterhook's own agent in the terminal, and watch its hooks live.",
    details:
      "Hooks are shown as they run, with what they print and what they decide; a turn that a hook started has a line of its own. Esc interrupts the model, a tool or a hook; Ctrl-C twice leaves. /help lists the commands: /hooks, /resume, /fork, /model, /compact. @ completes the names of files.",
    options: [...WORK_OPTIONS, RESUME],
    grace_seconds: 60,
    examples: [
      ["tenterhook chat", "begin"],
      ["tenterhook chat --resume 3f2a", "go on with an earlier session"],
    ],
    load: () => import("./chat.ts"),
  },
  {
    name: "sessions",
    completes: [[["show", "delete"]], ["sessions"], []],
    arguments: [
      ["[action]", "show or delete. Without one, the sessions are listed."],
      ["[id]", "The session to show or delete; the beginning of its id is enough."],
    ],
    summary: "List the sessions of Tenterhook's agent, the most recent first; show or delete one.",
    options: [
      { flags: "--all", description: "Sessions of all folders, not only of this one." },
      { flags: "--agents", description: "Include subagents." },
      {
        flags: "--status <status>",
        description: "Only sessions with this status.",
        choices: TRANSCRIPT_STATUSES,
      },
      { flags: "--since <time>", description: "Only sessions that were active since then: 24h, 7d, a date." },
      { flags: "--limit <count>", description: "How many to show. Default 20.", highest: 1000 },
      { flags: "-y, --yes", description: "delete: without asking." },
      DESPITE_DAMAGE,
    ],
    examples: [
      ["tenterhook sessions", "what was done in this folder"],
      ["tenterhook sessions --all --status suspended", "what waits for an answer"],
      ["tenterhook sessions show 3f2a", "the messages and calls of one"],
      ["tenterhook sessions delete 3f2a", "remove it and its subagents for good"],
    ],
    load: () => import("./sessions.ts"),
  },
  {
    name: "resume",
    completes: [["sessions"], []],
    arguments: [
      ["<id>", "The session or agent; the beginning of its id is enough."],
      ["[message...]", "The message. Without one the session continues where it stopped."],
    ],
    summary: "Continue a session: after a crash, with the answer it waits for, or with a new message.",
    details:
      "An interrupted turn is completed: calls that are safe to repeat run again; for others the model reads that their outcome is unknown. If the session waits for a human, the message is the answer; without a message you are asked, and where nobody can be asked the command prints the question. The session keeps its model and mode unless you choose others.",
    options: [
      ...WORK_OPTIONS,
      DESPITE_DAMAGE,
      {
        flags: "--answer <file>",
        description:
          'A file with the answer as JSON, in place of a message: {"tool_use_id", "approval"} or {"tool_use_id", "answers"}. It counts for this call only.',
      },
    ],
    grace_seconds: 60,
    examples: [
      ["tenterhook resume 3f2a", "finish what was cut off"],
      [`tenterhook resume 3f2a "yes"`, "answer what it waits for, or say something new"],
    ],
    load: () => import("./resume.ts"),
  },
  {
    name: "fork",
    completes: [["sessions"], []],
    arguments: [
      ["<id>", "The session or agent; the beginning of its id is enough."],
      ["[message...]", "The message to the fork. Without one the fork is only created."],
    ],
    summary: "Start a new session with the turns of another one, which stays unchanged.",
    options: [
      {
        flags: "--turn <number>",
        description: "The last turn to copy, counted from 1. Default: all.",
        highest: Number.POSITIVE_INFINITY,
      },
      ...WORK_OPTIONS,
      DESPITE_DAMAGE,
    ],
    grace_seconds: 60,
    examples: [
      [`tenterhook fork 3f2a --turn 1 "Try it without a library"`, "take another way from turn 2 on"],
    ],
    load: async () => ({ run: (await import("./resume.ts")).fork }),
  },
];
