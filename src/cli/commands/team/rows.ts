import type { CommandRow } from "../../command-line/command.ts";

export const TEAM_COMMANDS: readonly CommandRow[] = [
  {
    name: "database",
    completes: [[["status", "migrate"]], []],
    arguments: [["[action]", "status (default) or migrate."]],
    summary: "Look at the PostgreSQL database that machines share, and bring its tables up to date.",
    details:
      "The database is named by TENTERHOOK_DATABASE_URL, or by monitor.database in your own file. Tables that do not exist are created with their first use. Those of an earlier version are refused until migrate has changed them, because machines with an earlier Tenterhook can't use them afterwards.",
    examples: [
      ["tenterhook database status", "is it there, and which versions do its tables have"],
      ["tenterhook database migrate", "after Tenterhook was updated on every machine"],
    ],
    load: () => import("./database.ts"),
  },
  {
    name: "fleet",
    completes: [[["submit", "worker", "status", "logs", "answer", "cancel", "retry"]], []],
    arguments: [
      [
        "[action...]",
        "status (default) and perhaps a run; submit and the task; worker; logs, cancel or retry and the run; answer, the run and the answer. The beginning of a run's id is enough.",
      ],
    ],
    summary: "Run agents as jobs on several machines: they go on when a worker or a machine dies.",
    details:
      "Runs are in the database that machines share (tenterhook database); TENTERHOOK_REDIS_URL puts the queue in front of them on Redis. A worker takes runs and works on them as tenterhook run does, with the hooks of its user and of the folder. When a worker gives no sign of life for its lease, another one goes on with the agent where its transcript ends. A run that has to ask somebody waits without a process, and any worker goes on with the answer.",
    options: [
      {
        flags: "--agent <agent>",
        description:
          "submit: own (default), or claude or codex: the real program, headless and under watch, on a worker that has it.",
      },
      {
        flags: "--model <model>",
        description:
          "submit: provider/model, or a model of the program. Default: that of the worker's configuration.",
      },
      {
        flags: "--cwd <folder>",
        description: "submit: the folder, which the worker's machine must have. Default: this one.",
      },
      {
        flags: "--repo <url>",
        description: "submit: a repository, cloned for the run; its result has the branch and the patch.",
      },
      { flags: "--ref <revision>", description: "submit: the branch, tag or commit of --repo." },
      {
        flags: "--priority <number>",
        description: "submit: from -1000 to 1000, higher ones first. Default 0.",
      },
      { flags: "--key <key>", description: "submit: the same key twice is one run." },
      {
        flags: "--concurrency <number>",
        description: "worker: how many runs at the same time. Default 1.",
        highest: 1000,
      },
      {
        flags: "--lease <time>",
        description: "worker: how long it may be silent before others take its runs. Default 15s.",
      },
      { flags: "--models <pattern>", description: "worker: only runs of such models, such as anthropic/*." },
      { flags: "-w, --watch", description: "status: show it again every second, until Ctrl-C." },
      { flags: "-f, --follow", description: "logs: go on until the run ends." },
    ],
    grace_seconds: 40,
    examples: [
      ['tenterhook fleet submit "Fix the flaky test." --repo https://host/team/app.git --ref main', "a run"],
      ["tenterhook fleet worker --concurrency 4", "on each machine"],
      ["tenterhook fleet status --json", "runs and workers, for a program"],
      ['tenterhook fleet answer 3f2a "yes"', "what a run waits for"],
    ],
    load: () => import("./fleet.ts"),
  },
];
