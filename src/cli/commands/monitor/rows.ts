import { AGENT_STATES, TOKEN_ROLES } from "../../../shared/monitor/monitor.ts";
import type { CommandRow } from "../../command-line/command.ts";

export const MONITOR_COMMANDS: readonly CommandRow[] = [
  {
    name: "status",
    summary: "Show your agents: who works, who waits for you, who failed.",
    options: [
      {
        flags: "-w, --watch",
        description: "On a terminal, what tenterhook top shows; elsewhere the list again every second.",
      },
      { flags: "--all", description: "Also agents that ended a while ago, or were dismissed." },
    ],
    examples: [
      ["tenterhook status", "all agents, those that need you first"],
      ["tenterhook status --json", "for a program"],
    ],
    load: () => import("./status.ts"),
  },
  {
    name: "top",
    summary: "Watch all your agents on one screen, open one, and answer what they ask.",
    details:
      "Agents that wait for you are on top. The bottom line has the keys, ? all of them. Enter opens an agent: its calls, what hooks said about each, its tokens. A number chooses an option of what it asks, a answers in words; its own terminal may ask at the same time, and the first answer counts. Without a terminal it prints the list once, as tenterhook status does.",
    options: [{ flags: "--all", description: "Also agents that ended a while ago, or were dismissed." }],
    examples: [["tenterhook top", "leave it open next to your agents"]],
    load: async () => ({ run: (await import("./status.ts")).top }),
  },
  {
    name: "agents",
    completes: [[["list", "show", "logs", "peek", "send", "kill", "wait", "dismiss", "attach"]], []],
    arguments: [
      [
        "[action...]",
        "list (default); or show, logs, peek, send, kill, wait, dismiss or attach, and the agent: its name, or the beginning of its id or session.",
      ],
    ],
    summary: "Look at one agent, give it a message, end it, wait for it.",
    details:
      "logs and peek show what a program printed through a pipe, the session of Tenterhook's own agent, or the last texts of Claude Code and Codex. send wakes an agent that waits, joins a running turn of our own agent, continues a session that has ended, or else comes with the agent's next turn. kill ends the process that the agent reported, and never another one that has its number now. dismiss takes an agent that has ended off the list; without a name, all of them. attach shows our own agent as it works, and sends it what you type.\n\nwait ends with 0 when the agent is idle or has exited with 0, with 1 when it failed, is gone or ended otherwise, with 3 when it asks you something, and with 124 after --timeout. With --state, it ends with 0 in one of these states, and with 1 when the agent has ended before.",
    options: [
      { flags: "--all", description: "list: also agents that ended a while ago, or were dismissed." },
      { flags: "-w, --watch", description: "list: show it again every second, until Ctrl-C." },
      { flags: "-f, --follow", description: "logs: go on until the agent ends." },
      { flags: "--force", description: "kill: end it at once, with SIGKILL." },
      {
        flags: "--state <states>",
        description: "wait: for one of these, such as idle,exited.",
        completes: AGENT_STATES,
      },
      { flags: "--timeout <time>", description: "wait: at most so long, such as 30s or 10m." },
    ],
    examples: [
      ["tenterhook agents show claude-1", "all that is known about it"],
      ["tenterhook agents logs worker-1 -f", "what it prints, live"],
      ['tenterhook agents send worker-1 "Run the tests, too."', "a message"],
      ["tenterhook agents wait worker-1 --timeout 10m && git push", "when it is done"],
    ],
    load: () => import("./agents.ts"),
  },
  {
    name: "watch",
    arguments: [["[program...]", "The program and its arguments."]],
    summary: "Run an agent, or any program, under the monitor.",
    details:
      "Claude Code, Codex and Gemini CLI report what they do through hooks that only this run has; other agents do when Tenterhook is installed in them. Of any other program the monitor shows that it runs, and how it ended. The program has the terminal to itself; its exit code is the exit code of this command.",
    options: [
      { flags: "--name <name>", description: "The agent's name. Default: the program's name and a number." },
      {
        flags: "--transcript <file>",
        description: "A file that grows while the program works, for a program without hooks.",
      },
    ],
    runs_program: true,
    examples: [
      ["tenterhook watch -- claude", "Claude Code, as claude-1"],
      ["tenterhook watch --name docs -- codex exec 'Update the docs.'", "Codex with a name"],
    ],
    load: () => import("./watch.ts"),
  },
  {
    name: "decisions",
    completes: [[["list", "show", "resolve"]], []],
    arguments: [
      [
        "[action...]",
        "list (default), show ID, or resolve ID and your choice: an option's number or label, or text.",
      ],
    ],
    summary: "Show what agents ask you, and answer.",
    details:
      "The answer travels back through the hook that waits for it: your configuration needs monitor.on_prompt: answer. The beginning of an id is enough; so is the name of an agent that asks one thing.",
    options: [
      { flags: "--all", description: "list: also those that are answered, replaced or dismissed." },
      {
        flags: "-n, --lines <number>",
        description: "list: how many, the newest first. Default 1000.",
        highest: 9_999_999,
      },
      { flags: "-m, --message <text>", description: "resolve: a message for the agent." },
      {
        flags: "--input <json>",
        description: "resolve: allow the call with another input, which rules judge again.",
      },
    ],
    examples: [
      ["tenterhook decisions", "what waits for you"],
      ["tenterhook decisions resolve mh3k 2", "the second option"],
      ["tenterhook decisions resolve claude-1 yes", "what claude-1 asks, if that is one thing"],
      ['tenterhook decisions resolve mh3k revise -m "Keep the old API."', "send a plan back"],
    ],
    load: () => import("./decisions.ts"),
  },
  {
    name: "dashboard",
    summary: "Open the dashboard in your browser: who waits, what was stopped, what it costs.",
    details:
      "The monitor's daemon serves it on this machine. The link logs one browser in, until its last tab is closed; run the command again for another one. What agents ask can be answered there, so an agent can't open it.",
    options: [{ flags: "--no-open", description: "Print the link and open no browser." }],
    examples: [
      ["tenterhook dashboard", "open it"],
      ["tenterhook dashboard --no-open", "print the link, for another browser"],
    ],
    load: () => import("./dashboard.ts"),
  },
  {
    name: "away",
    summary: "Say that you are not at your agents' terminals: questions wait for you.",
    details:
      "Where a hook waits for your answer, some agents show no dialog of their own meanwhile, so that the wait is short (monitor.on_prompt.hidden_wait) while you are there. While you are away, it is as long as everywhere (monitor.on_prompt.wait); a question that waits already waits on.",
    options: [{ flags: "--for <time>", description: "So long, such as 2h. Default: until tenterhook back." }],
    examples: [["tenterhook away --for 2h", "questions wait for the phone until then"]],
    load: () => import("./away.ts"),
  },
  {
    name: "back",
    summary: "Say that you are at your agents' terminals again.",
    examples: [["tenterhook back", "agents show their own dialogs soon"]],
    load: async () => ({ run: (await import("./away.ts")).back }),
  },
  {
    name: "monitor",
    completes: [
      [
        [
          "start",
          "stop",
          "restart",
          "enable",
          "disable",
          "status",
          "logs",
          "serve",
          "join",
          "leave",
          "token",
        ],
      ],
      [["create", "list", "revoke"]],
      [],
    ],
    arguments: [
      [
        "<action...>",
        "start, stop, restart, enable, disable, status or logs; for a team, serve, join URL, leave, or token create, token list, token revoke ID.",
      ],
    ],
    summary:
      "Start, stop and look at the monitor's daemon; hooks and other commands start it when they need it.",
    details:
      "disable stops the daemon for good: each call is then decided by a process of its own; enable takes that back. Notifications need a running daemon: docs/guides/monitor.md has a systemd unit for it.\n\nserve is the daemon with an address for other machines; without TLS that is an address of this machine only, and people are let in there with --tls-proxy alone, which says that a server with TLS is in front of it. token create makes a token and shows it once: a reporter is a machine that sends its own events and fetches its own answers, a person may look and answer, a viewer may look. join has this machine report to such a daemon: it asks for the token, or reads it from standard input or a file. leave takes that back.",
    options: [
      { flags: "--foreground", description: "start: run in this process." },
      {
        flags: "--until-idle <seconds>",
        description: "start --foreground: end after this time without a call.",
      },
      { flags: "-f, --follow", description: "logs: go on as it grows." },
      { flags: "--listen <host:port>", description: "serve: the address. Port 0 is any that is free." },
      { flags: "--tls-cert <file>", description: "serve: the certificate, with its chain, as PEM." },
      { flags: "--tls-key <file>", description: "serve: the key of the certificate, as PEM." },
      { flags: "--tls-proxy", description: "serve: a server with TLS is in front of this address." },
      { flags: "--role <role>", description: "token create: what it allows.", choices: TOKEN_ROLES },
      { flags: "--expires <time>", description: "token create: it ends after this time, such as 30d." },
      {
        flags: "--name <name>",
        description: "token create: whom or what it is for. join: what this machine is called there.",
      },
      { flags: "--token-file <file>", description: "join: read the token from this file." },
      {
        flags: "--ca <file>",
        description: "join: the certificate of the authority that has signed the server's, as PEM.",
      },
    ],
    grace_seconds: 10,
    examples: [
      ["tenterhook monitor start", "start it"],
      ["tenterhook monitor status --json", "is it running, and where"],
      ["tenterhook monitor token create --role reporter --expires 30d", "a token for one machine"],
      ["tenterhook monitor join https://monitor.example.com:7443", "report there; asks for the token"],
    ],
    load: () => import("./monitor.ts"),
  },
  {
    name: "agent",
    completes: [[["hook", "settings"]], [["pretooluse", "stop", "notify"]], []],
    arguments: [
      ["<action>", "hook or settings."],
      ["[words...]", "hook: pretooluse, stop or notify, and the agent's id. settings: the id."],
    ],
    summary: "Commands for a monitored agent: its hooks, and the settings that contain them.",
    details:
      "agent hook reads a payload on stdin and notifies the monitor when the agent waits for a human; stop keeps the agent going until it signals that it is done. agent settings prints the path of a copy of the project's settings that contains these hooks.",
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
    completes: [
      [["agent:signal", "agent:prompt", "agent:error", "agent:idle"]],
      [["complete", "escalate", "continue"]],
      [],
    ],
    arguments: [
      ["<event>", "agent:signal, agent:prompt, agent:error or agent:idle."],
      ["[value...]", "The value of the event."],
    ],
    summary: "Send the monitor an event about an agent.",
    options: [
      {
        flags: "--agent <id>",
        description: "The agent. Default: TENTERHOOK_AGENT_ID.",
      },
      { flags: "--type <type>", description: "The type of a prompt or an error." },
      {
        flags: "--session <id>",
        description:
          "The agent's session. Default: the session that this command runs in, or that the agent was last seen in.",
      },
      { flags: "-m, --message <text>", description: "A message." },
    ],
    examples: [
      ["tenterhook emit agent:signal --agent worker-1 complete", "the task is done"],
      ["tenterhook emit agent:prompt --agent worker-1 --type plan_approval", "it waits for a human"],
    ],
    load: () => import("./emit.ts"),
  },
];
