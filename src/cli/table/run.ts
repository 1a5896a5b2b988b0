import { TRANSCRIPT_STATUSES } from "../../core/contracts/transcript.ts";
import type { CommandGroup, CommandOption, CommandRow } from "../command-line/command.ts";
import { SESSION_ID, SINCE } from "./options.ts";

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
      "When nobody can be asked: suspend the session until tenterhook sessions resume, instead of refusing.",
  },
];

const DESPITE_DAMAGE: CommandOption = {
  flags: "--despite-damage",
  description: "Skip what can't be read of a damaged session, and list it.",
};

const SESSION_ACTIONS: readonly CommandRow[] = [
  {
    name: "show",
    arguments: [SESSION_ID],
    summary: "Show the messages and calls of a session.",
    options: [DESPITE_DAMAGE],
    examples: [["tenterhook sessions show 3f2a", "what was said and done"]],
    load: async () => ({ run: (await import("../commands/agent/sessions/actions.ts")).show }),
  },
  {
    name: "delete",
    arguments: [SESSION_ID],
    summary: "Delete a session and its subagents for good.",
    options: [{ flags: "-y, --yes", description: "Ask nothing." }, DESPITE_DAMAGE],
    examples: [["tenterhook sessions delete 3f2a", "after a question"]],
    load: async () => ({ run: (await import("../commands/agent/sessions/actions.ts")).remove }),
  },
  {
    name: "resume",
    arguments: [
      SESSION_ID,
      {
        usage: "[message...]",
        description: "The message. Without one the session continues where it stopped.",
      },
    ],
    summary: "Continue a session: after a crash, with the answer it waits for, or with a new message.",
    details:
      "On a terminal and without a message it goes on as a chat. An interrupted turn is completed: calls that are safe to repeat run again; for others the model reads that their outcome is unknown. If the session waits for a human, the message is the answer; without a message you are asked, and where nobody can be asked the command prints the question. The session keeps its model and mode unless you choose others.",
    options: [
      ...WORK_OPTIONS,
      DESPITE_DAMAGE,
      {
        flags: "--answer <file>",
        description:
          'A file with the answer as JSON, in place of a message: {"tool_use_id", "approval"} or {"tool_use_id", "answers"}. It answers this call only.',
      },
    ],
    grace_seconds: 60,
    examples: [
      ["tenterhook sessions resume 3f2a", "finish what was cut off, and go on"],
      [`tenterhook sessions resume 3f2a "yes"`, "answer what it waits for, or say something new"],
    ],
    load: () => import("../commands/agent/resume.ts"),
  },
  {
    name: "fork",
    arguments: [
      SESSION_ID,
      {
        usage: "[message...]",
        description: "The message to the fork. Without one the fork is only created.",
      },
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
      [`tenterhook sessions fork 3f2a --turn 1 "Try it without a library"`, "another way from turn 2 on"],
    ],
    load: async () => ({ run: (await import("../commands/agent/resume.ts")).fork }),
  },
];

const COMMANDS: readonly CommandRow[] = [
  {
    name: "run",
    arguments: [{ usage: "[task...]", description: "The task. Without one, on a terminal, a chat." }],
    takes_program: true,
    summary: "Run the built-in agent on one task or as a chat, or any agent program under watch.",
    details:
      "The built-in agent works with the hooks of this folder. Its model is --model, else models.default of the configuration, else anthropic/claude-sonnet-4-5. On a terminal you are asked for permission; elsewhere such calls are refused. --json prints every item as a line of JSON. Ctrl-C interrupts the agent; a second Ctrl-C ends it immediately. In a chat, /help lists the commands, and @ completes the names of files.\n\nBehind -- is a program: Claude Code, Codex and Gemini CLI report what they do through hooks that only this run has; other agents do when Tenterhook is installed in them. Of any other program the monitor shows that it runs, and how it ended. The program has the terminal to itself; its exit code is the exit code of this command.\n\n--demo shows an agent and its hooks at work for a minute: a scripted agent works in a scratch folder with real tools, a real configuration and real hooks. It needs no key; none of your files are read or changed, and the folder is removed afterwards.",
    options: [
      ...WORK_OPTIONS,
      {
        flags: "--attach <file>",
        description: "Give the model a file too: text, an image or a PDF document. Repeat it for more files.",
        repeated: true,
      },
      {
        flags: "--name <name>",
        description: "What the program is called. Default: the program's name and a number.",
      },
      {
        flags: "--transcript <file>",
        description: "A file that grows while the program works, for a program without hooks.",
      },
      { flags: "--demo", description: "Watch the demo." },
      { flags: "--keep", description: "With --demo: keep the scratch folder so that you can look at it." },
    ],
    grace_seconds: 60,
    examples: [
      [`tenterhook run "Why do the tests fail?"`, "ask, and watch"],
      ["tenterhook run", "a chat"],
      [
        `tenterhook run "Fix the typo in README.md" --mode accept-edits --json`,
        "for a program that reads along",
      ],
      ["tenterhook run -- claude", "Claude Code, as claude-1"],
      ["tenterhook run --name docs -- codex exec 'Update the docs.'", "Codex with a name"],
      ["tenterhook run --demo", "watch"],
    ],
    load: () => import("../commands/run.ts"),
  },
  {
    name: "sessions",
    summary: "List the sessions of the built-in agent, the most recent first.",
    options: [
      { flags: "--everywhere", description: "Of all folders, not only of this one." },
      { flags: "--agents", description: "Include subagents." },
      {
        flags: "--status <status>",
        description: "Only sessions with this status.",
        choices: TRANSCRIPT_STATUSES,
      },
      { flags: "--since <time>", description: `Only sessions that were active since then. ${SINCE}` },
      { flags: "-n <count>", description: "How many to show. Default 20.", highest: 1000 },
    ],
    examples: [
      ["tenterhook sessions", "what was done in this folder"],
      ["tenterhook sessions --everywhere --status suspended", "what waits for an answer"],
    ],
    commands: SESSION_ACTIONS,
    load: () => import("../commands/agent/sessions.ts"),
  },
];

export const RUN_GROUP: CommandGroup = {
  title: "Run",
  lines: [
    [`run ["TASK"]`, "the built-in agent: one task, or a chat"],
    ["run -- PROGRAM", "any agent, watched"],
    ["sessions [resume ID]", "sessions of the built-in agent"],
  ],
  commands: COMMANDS,
};
