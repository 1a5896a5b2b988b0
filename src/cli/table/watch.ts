import { VERDICTS } from "../../journal/verdict.ts";
import { AGENT_STATES } from "../../shared/monitor/monitor.ts";
import type { CommandGroup, CommandRow } from "../command-line/command.ts";
import { NAMED_AGENT, SINCE } from "./options.ts";

const AGENT_ACTIONS: readonly CommandRow[] = [
  {
    name: "show",
    arguments: [NAMED_AGENT],
    summary: "Show all that is known about one agent.",
    examples: [["tenterhook agents show claude-1", "what it does, what it cost, where it runs"]],
    load: async () => ({ run: (await import("../commands/monitor/agents.ts")).show }),
  },
  {
    name: "logs",
    arguments: [NAMED_AGENT],
    summary: "Show what an agent printed.",
    details:
      "What a program printed through a pipe, the session of the built-in agent, or the last texts of Claude Code and Codex.",
    options: [
      { flags: "-f, --follow", description: "Go on until the agent ends." },
      { flags: "-n <number>", description: "Only so many lines, the last ones.", highest: 9_999_999 },
    ],
    examples: [["tenterhook agents logs worker-1 -f", "what it prints, live"]],
    load: async () => ({ run: (await import("../commands/monitor/agents.ts")).logs }),
  },
  {
    name: "send",
    arguments: [NAMED_AGENT, { usage: "<message...>", description: "The message." }],
    summary: "Give an agent a message.",
    details:
      "Wakes an agent that waits, joins a running turn of the built-in agent, continues a session that has ended, or else comes with the agent's next turn.",
    examples: [['tenterhook agents send worker-1 "Run the tests, too."', "a message"]],
    load: async () => ({ run: (await import("../commands/monitor/agents.ts")).send }),
  },
  {
    name: "stop",
    arguments: [NAMED_AGENT],
    summary: "End the process that an agent reported, and never another one that has its number now.",
    options: [{ flags: "--force", description: "End it at once, with SIGKILL." }],
    examples: [["tenterhook agents stop worker-1", "with SIGTERM"]],
    load: async () => ({ run: (await import("../commands/monitor/agents.ts")).stop }),
  },
  {
    name: "wait",
    arguments: [NAMED_AGENT],
    summary: "Wait until an agent is done.",
    details:
      "Ends with 0 when the agent is idle or has exited with 0, with 1 when it failed, is gone or ended otherwise, with 3 when it asks you something, and with 124 after --timeout. With --state, it ends with 0 in one of these states, and with 1 when the agent has ended before.",
    options: [
      {
        flags: "--state <states>",
        description: "Wait for one of these, such as idle,exited.",
        completes: AGENT_STATES,
      },
      { flags: "--timeout <time>", description: "At most so long, such as 30s or 10m." },
    ],
    examples: [["tenterhook agents wait worker-1 --timeout 10m && git push", "when it is done"]],
    load: async () => ({ run: (await import("../commands/monitor/agents.ts")).wait }),
  },
  {
    name: "attach",
    arguments: [NAMED_AGENT],
    summary: "Watch the built-in agent at work, and send it what you type.",
    examples: [["tenterhook agents attach tenterhook-1", "its session, live"]],
    load: () => import("../commands/monitor/agents/attach.ts"),
  },
  {
    name: "dismiss",
    arguments: [{ ...NAMED_AGENT, usage: "[agent]" }],
    summary: "Take an agent that has ended off the list; without a name, all of them.",
    examples: [["tenterhook agents dismiss", "everything that has ended"]],
    load: () => import("../commands/monitor/agents/dismiss.ts"),
  },
];

const COMMANDS: readonly CommandRow[] = [
  {
    name: "agents",
    summary: "Show your agents: who works, who waits for you, who failed.",
    details:
      "With -w, on a terminal, they are a screen that stays: agents that wait for you are on top, the bottom line has the keys, ? all of them. Enter opens an agent: its calls, what hooks said about each, its tokens. A number chooses an option of what it asks, a answers in words; its own terminal may ask at the same time, and the first answer wins.",
    options: [
      {
        flags: "-w, --watch",
        description:
          "Stay, and show what changes. In a pipe: the list once; with --json, a line every second.",
      },
      { flags: "--all", description: "Also agents that ended a while ago, or were dismissed." },
    ],
    examples: [
      ["tenterhook agents", "all agents, those that need you first"],
      ["tenterhook agents -w", "leave it open next to your agents"],
      ["tenterhook agents --json", "for a program"],
    ],
    commands: AGENT_ACTIONS,
    load: () => import("../commands/monitor/status.ts"),
  },
  {
    name: "inbox",
    arguments: [
      {
        usage: "[id]",
        description:
          "One question: the beginning of its id, or an agent that asks one thing. Shows all of it.",
      },
    ],
    summary: "Show what agents ask you.",
    options: [
      { flags: "--all", description: "Also questions that are answered, replaced or dismissed." },
      {
        flags: "-n <number>",
        description: "How many, the newest first. Default 1000.",
        highest: 9_999_999,
      },
    ],
    examples: [
      ["tenterhook inbox", "what waits for you"],
      ["tenterhook inbox mh3k", "the whole question, and its options"],
    ],
    load: () => import("../commands/monitor/inbox.ts"),
  },
  {
    name: "answer",
    arguments: [
      {
        usage: "<id>",
        description: "The question: the beginning of its id, or an agent that asks one thing.",
      },
      { usage: "[choice...]", description: "An option's number or label, or text." },
    ],
    summary: "Answer what an agent asks you.",
    details:
      "The answer travels back through the hook that waits for it: your configuration needs monitor.on_prompt: answer.",
    options: [
      { flags: "-m, --message <text>", description: "A message for the agent." },
      {
        flags: "--input <json>",
        description: "Allow the call with another input, which rules judge again.",
      },
    ],
    examples: [
      ["tenterhook answer mh3k 2", "the second option"],
      ["tenterhook answer claude-1 yes", "what claude-1 asks, if that is one thing"],
      ['tenterhook answer mh3k revise -m "Keep the old API."', "send a plan back"],
    ],
    load: () => import("../commands/monitor/answer.ts"),
  },
  {
    name: "away",
    arguments: [{ usage: "[time]", description: "So long, such as 2h. Default: until tenterhook back." }],
    summary: "Say that you are not at your agents' terminals: questions wait for you.",
    details:
      "While a hook waits for your answer, some agents show no dialog of their own. While you are there, such a hook waits briefly (monitor.on_prompt.hidden_wait); while you are away, as long as all others (monitor.on_prompt.wait). A question that waits already goes on waiting.",
    examples: [["tenterhook away 2h", "questions wait for the phone until then"]],
    load: () => import("../commands/monitor/away.ts"),
  },
  {
    name: "back",
    summary: "Say that you are at your agents' terminals again.",
    examples: [["tenterhook back", "agents show their own dialogs soon"]],
    load: async () => ({ run: (await import("../commands/monitor/away.ts")).back }),
  },
  {
    name: "dashboard",
    summary: "Open the dashboard in your browser: who waits, what was stopped, what it costs.",
    details:
      "The daemon serves it on this machine. The link logs one browser in, until its last tab is closed; run the command again for another one. What agents ask can be answered there, so an agent can't open it.",
    options: [{ flags: "--no-open", description: "Print the link and open no browser." }],
    examples: [
      ["tenterhook dashboard", "open it"],
      ["tenterhook dashboard --no-open", "print the link, for another browser"],
    ],
    load: () => import("../commands/monitor/dashboard.ts"),
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
      { flags: "--since <time>", description: `${SINCE} Default 7d.` },
      { flags: "-n <number>", description: "How many decisions at first. Default 50.", highest: 9_999_999 },
      { flags: "-v, --verbose", description: "Also what each hook said, and its rule." },
      { flags: "--all", description: "Also decisions without anything to say." },
      { flags: "--everywhere", description: "Of every project, with project and session." },
      {
        flags: "--stats",
        description:
          "Sums in place of lines: by day and agent, and by hook: runs, denials, questions, failures and durations.",
      },
      { flags: "--costs", description: "What agents used and cost, by day and project." },
      {
        flags: "--session <id>",
        description: "With --stats or --costs: only this session; the beginning of its id is enough.",
      },
    ],
    examples: [
      ["tenterhook log --stopped", "what was stopped in the last seven days?"],
      ["tenterhook log --follow", "watch hooks at work"],
      ["tenterhook log --stats --since 24h", "the last day in this project, in sums"],
      ["tenterhook log --costs --everywhere", "what agents cost, in every project"],
    ],
    load: () => import("../commands/hooks/log.ts"),
  },
];

export const WATCH_GROUP: CommandGroup = {
  title: "Watch",
  lines: [
    ["agents [show|send|stop]", "who works, who waits, who failed (-w: live)"],
    ["inbox", "what agents ask you"],
    ["answer ID CHOICE", "answer it"],
    ["away [2h], back", "hold questions while you are out"],
    ["dashboard", "all of it in your browser"],
    ["log [--since 7d]", "what was decided, and why (--costs: what it cost)"],
  ],
  commands: COMMANDS,
};
