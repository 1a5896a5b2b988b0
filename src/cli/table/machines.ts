import { TOKEN_ROLES } from "../../shared/monitor/monitor.ts";
import type { CommandArgument, CommandGroup, CommandRow } from "../command-line/command.ts";

const TOKEN_ACTIONS: readonly CommandRow[] = [
  {
    name: "create",
    summary: "Make a token, and show it once.",
    details:
      "A reporter is a machine that sends its own events and fetches its own answers, a person may look and answer, a viewer may look.",
    options: [
      { flags: "--role <role>", description: "What it allows.", choices: TOKEN_ROLES },
      { flags: "--expires <time>", description: "The token expires after this time, such as 30d." },
      { flags: "--name <name>", description: "Whom or what it is for." },
    ],
    examples: [["tenterhook daemon token create --role reporter --expires 30d", "for one machine"]],
    load: async () => ({ run: (await import("../commands/monitor/team/token.ts")).create }),
  },
  {
    name: "revoke",
    arguments: [{ usage: "<id>", description: "The token's id, as tenterhook daemon token shows it." }],
    summary: "Revoke a token.",
    examples: [["tenterhook daemon token revoke 7f3a", "a machine that was lost"]],
    load: async () => ({ run: (await import("../commands/monitor/team/token.ts")).revoke }),
  },
];

const DAEMON_ACTIONS: readonly CommandRow[] = [
  {
    name: "start",
    summary: "Start the daemon, and let calls of hooks start it again.",
    options: [
      { flags: "--foreground", description: "Run in this process." },
      {
        flags: "--until-idle <seconds>",
        description: "With --foreground: end after this time without a call.",
      },
    ],
    grace_seconds: 10,
    examples: [["tenterhook daemon start", "start it"]],
    load: async () => ({ run: (await import("../commands/monitor/monitor.ts")).start }),
  },
  {
    name: "stop",
    summary: "Stop the daemon.",
    options: [
      {
        flags: "--for-good",
        description:
          "Keep it stopped until tenterhook daemon start: each call of a hook then starts its own process.",
      },
    ],
    grace_seconds: 10,
    examples: [["tenterhook daemon stop", "the next call of a hook starts another one"]],
    load: async () => ({ run: (await import("../commands/monitor/monitor.ts")).stop }),
  },
  {
    name: "restart",
    summary: "Restart the daemon with the current configuration and variables.",
    grace_seconds: 10,
    examples: [["tenterhook daemon restart", "after a variable has changed"]],
    load: async () => ({ run: (await import("../commands/monitor/monitor.ts")).restart }),
  },
  {
    name: "status",
    summary: "Show whether the daemon runs, where, and whether its channels work.",
    examples: [["tenterhook daemon status --json", "is it running, and where"]],
    load: async () => ({ run: (await import("../commands/monitor/monitor.ts")).status }),
  },
  {
    name: "logs",
    summary: "Show what the daemon wrote.",
    options: [{ flags: "-f, --follow", description: "Follow the log as it grows." }],
    examples: [["tenterhook daemon logs -f", "watch it"]],
    load: async () => ({ run: (await import("../commands/monitor/monitor.ts")).logs }),
  },
  {
    name: "serve",
    summary: "Run the daemon with an address for other machines.",
    details:
      "Without TLS, only this machine can reach it, and people can log in only with --tls-proxy, which promises a server with TLS in front of it.",
    options: [
      { flags: "--listen <host:port>", description: "The address. Port 0 is any that is free." },
      { flags: "--tls-cert <file>", description: "The certificate, with its chain, as PEM." },
      { flags: "--tls-key <file>", description: "The key of the certificate, as PEM." },
      { flags: "--tls-proxy", description: "A server with TLS is in front of this address." },
    ],
    grace_seconds: 10,
    examples: [["tenterhook daemon serve --listen 127.0.0.1:7443 --tls-proxy", "behind your own server"]],
    load: () => import("../commands/monitor/team/serve.ts"),
  },
  {
    name: "join",
    arguments: [{ usage: "<url...>", description: "The address of the team's daemon." }],
    summary: "Have this machine report to a team's daemon.",
    details: "Asks for the token, or reads it from standard input or a file.",
    options: [
      { flags: "--name <name>", description: "What this machine is called there." },
      { flags: "--token-file <file>", description: "Read the token from this file." },
      {
        flags: "--ca <file>",
        description: "The certificate of the authority that has signed the server's, as PEM.",
      },
    ],
    examples: [
      ["tenterhook daemon join https://monitor.example.com:7443", "report there; asks for the token"],
    ],
    load: () => import("../commands/monitor/team/join.ts"),
  },
  {
    name: "leave",
    summary: "Stop reporting to the team.",
    examples: [["tenterhook daemon leave", "take join back"]],
    load: async () => ({ run: (await import("../commands/monitor/team/join.ts")).leave }),
  },
  {
    name: "token",
    summary: "List the tokens that let machines and people in.",
    examples: [["tenterhook daemon token", "who may do what, and who used it"]],
    commands: TOKEN_ACTIONS,
    load: () => import("../commands/monitor/team/token.ts"),
  },
  {
    name: "carry-out",
    arguments: [{ usage: "<id>", description: "The action." }],
    summary: "Do what the daemon has decided. The daemon calls it.",
    hidden: true,
    grace_seconds: 10,
    examples: [],
    load: () => import("../commands/monitor/actions/carry-out.ts"),
  },
];

const RUN_ID: CommandArgument = {
  usage: "<run>",
  description: "The run; the beginning of its id is enough.",
};

const WORKER: CommandArgument = {
  usage: "<worker>",
  description: "The worker, or its machine; the beginning of its id is enough.",
};

const FLEET_ACTIONS: readonly CommandRow[] = [
  {
    name: "submit",
    arguments: [{ usage: "<task...>", description: "The task." }],
    summary: "Submit a task: a run that any worker takes.",
    options: [
      {
        flags: "--agent <agent>",
        description:
          "own (default), or claude or codex: the real program, headless and under watch, on a worker that has it.",
      },
      {
        flags: "--model <model>",
        description:
          "provider/model, or a model of the program. Default: that of the worker's configuration.",
      },
      {
        flags: "--cwd <folder>",
        description: "The folder, which the worker's machine must have. Default: this one.",
      },
      {
        flags: "--repo <url>",
        description: "A repository, cloned for the run; its result has the branch and the patch.",
      },
      { flags: "--ref <revision>", description: "The branch, tag or commit of --repo." },
      { flags: "--priority <number>", description: "From -1000 to 1000, higher ones first. Default 0." },
      { flags: "--key <key>", description: "The same key twice is one run." },
      {
        flags: "--needs <label>",
        description: "Only a worker with this --label takes it; repeatable.",
        repeated: true,
      },
    ],
    examples: [
      ['tenterhook fleet submit "Fix the flaky test." --repo https://host/team/app.git --ref main', "a run"],
    ],
    load: () => import("../commands/team/fleet/submit.ts"),
  },
  {
    name: "worker",
    summary: "Take runs and work on them, until Ctrl-C.",
    details:
      "Works as tenterhook run does, with the hooks of its user and of the folder. When a worker gives no sign of life for its lease, another one goes on with the agent where its transcript ends.",
    options: [
      {
        flags: "--concurrency <number>",
        description: "How many runs at the same time. Default 1.",
        highest: 1000,
      },
      {
        flags: "--lease <time>",
        description: "How long it may be silent before others take its runs. Default 15s.",
      },
      { flags: "--models <pattern>", description: "Only runs of such models, such as anthropic/*." },
      {
        flags: "--listen <host:port>",
        description: "Serve /healthz, /readyz and /metrics (Prometheus) here. Port 0 is any that is free.",
      },
      {
        flags: "--label <label>",
        description: "What this machine has, for runs that need it; repeatable.",
        repeated: true,
      },
    ],
    grace_seconds: 40,
    examples: [["tenterhook fleet worker --concurrency 4", "on each machine"]],
    load: () => import("../commands/team/fleet/worker.ts"),
  },
  {
    name: "status",
    arguments: [{ ...RUN_ID, usage: "[run]" }],
    summary: "Show the runs and workers, or one run.",
    options: [{ flags: "-w, --watch", description: "Show it again every second, until Ctrl-C." }],
    examples: [["tenterhook fleet status --json", "runs and workers, for a program"]],
    load: () => import("../commands/team/fleet/status.ts"),
  },
  {
    name: "logs",
    arguments: [RUN_ID],
    summary: "Show what the agent of a run said and did.",
    options: [{ flags: "-f, --follow", description: "Go on until the run ends." }],
    examples: [["tenterhook fleet logs 3f2a -f", "live"]],
    load: async () => ({ run: (await import("../commands/team/fleet.ts")).logs }),
  },
  {
    name: "answer",
    arguments: [RUN_ID, { usage: "<answer...>", description: "The answer." }],
    summary: "Answer what a run waits for. Any worker goes on with it.",
    examples: [['tenterhook fleet answer 3f2a "yes"', "what a run waits for"]],
    load: async () => ({ run: (await import("../commands/team/fleet.ts")).answer }),
  },
  {
    name: "cancel",
    arguments: [RUN_ID],
    summary: "Cancel a run.",
    examples: [["tenterhook fleet cancel 3f2a", "its agent ends"]],
    load: async () => ({ run: (await import("../commands/team/fleet.ts")).cancel }),
  },
  {
    name: "retry",
    arguments: [RUN_ID],
    summary: "Queue a run again that failed, is dead or was cancelled.",
    examples: [["tenterhook fleet retry 3f2a", "its agent goes on where it was"]],
    load: async () => ({ run: (await import("../commands/team/fleet.ts")).retry }),
  },
  {
    name: "cordon",
    arguments: [WORKER],
    summary: "Let a worker take no more runs. Those that it has go on.",
    details:
      "A worker cordons itself after three runs in a row that met a fault of its machine (folder, clone, configuration, program); it looks again by itself, and takes runs again when they may succeed.",
    examples: [["tenterhook fleet cordon build-3", "all workers of that machine"]],
    load: async () => ({ run: (await import("../commands/team/fleet/cordon.ts")).cordon }),
  },
  {
    name: "uncordon",
    arguments: [WORKER],
    summary: "Let a worker take runs again.",
    examples: [["tenterhook fleet uncordon build-3", "all workers of that machine"]],
    load: async () => ({ run: (await import("../commands/team/fleet/cordon.ts")).uncordon }),
  },
  {
    name: "drain",
    arguments: [WORKER],
    summary: "End a worker: it takes nothing more, and hands back what has not ended after 30 seconds.",
    examples: [["tenterhook fleet drain build-3", "before its machine is updated"]],
    load: async () => ({ run: (await import("../commands/team/fleet/cordon.ts")).drain }),
  },
  {
    name: "prune",
    summary: "Delete runs that ended long ago, with their transcripts.",
    details: "A worker does so once an hour with monitor.history.run_days of its user's own file.",
    options: [{ flags: "--older <time>", description: "Only those that ended before, such as 90d." }],
    examples: [["tenterhook fleet prune --older 90d", "all that ended more than 90 days ago"]],
    load: () => import("../commands/team/fleet/prune.ts"),
  },
  {
    name: "database",
    summary: "Show the PostgreSQL database that machines share, and the versions of its tables.",
    details:
      "The database is named by TENTERHOOK_DATABASE_URL, or by monitor.database in your own file. Tables that do not exist are created with their first use. Ends with 1 when tables are missing or have another version.",
    examples: [["tenterhook fleet database", "is it there, and which versions do its tables have"]],
    commands: [
      {
        name: "migrate",
        summary: "Bring the tables up to date.",
        details:
          "Tables of an earlier version are refused until then, because machines with an earlier Tenterhook can't use them afterwards.",
        examples: [["tenterhook fleet database migrate", "after Tenterhook was updated on every machine"]],
        load: async () => ({ run: (await import("../commands/team/database.ts")).migrate }),
      },
    ],
    load: () => import("../commands/team/database.ts"),
  },
  {
    name: "run-program",
    summary: "Run a program for a worker. The worker calls it.",
    hidden: true,
    grace_seconds: 40,
    examples: [],
    load: () => import("../commands/team/fleet/held-program.ts"),
  },
];

const COMMANDS: readonly CommandRow[] = [
  {
    name: "daemon",
    summary: "The process behind all this: it decides calls, knows your agents and asks you.",
    details:
      "Hooks and other commands start it when they need it. Notifications need a running daemon: the guide monitor has a systemd unit for it. For a team, serve lets other machines report to it, and join has this machine report.",
    examples: [
      ["tenterhook daemon status", "is it running, and where"],
      ["tenterhook daemon token create --role reporter --expires 30d", "a token for one machine"],
    ],
    commands: DAEMON_ACTIONS,
  },
  {
    name: "fleet",
    summary: "Run agents as jobs on several machines: they go on when a worker or a machine dies.",
    details:
      "Runs are in the database that machines share (tenterhook fleet database); TENTERHOOK_REDIS_URL puts the queue in front of them on Redis. A run that has to ask somebody waits without a process, and any worker goes on with the answer.",
    examples: [
      ['tenterhook fleet submit "Fix the flaky test." --repo https://host/team/app.git --ref main', "a run"],
      ["tenterhook fleet worker --concurrency 4", "on each machine"],
      ["tenterhook fleet status", "runs and workers"],
    ],
    commands: FLEET_ACTIONS,
    load: () => import("../commands/team/fleet/status.ts"),
  },
];

export const MACHINES_GROUP: CommandGroup = {
  title: "Machines",
  lines: [
    ["daemon start|stop|status", "the process behind all this (serve, join: a team)"],
    ["fleet submit|worker", "agents as jobs on several machines"],
  ],
  commands: COMMANDS,
};
