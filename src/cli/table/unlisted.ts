import type { CommandRow } from "../command-line/command.ts";

/** What agents, shells and scripts call, and the pages of the guide. */
export const UNLISTED: readonly CommandRow[] = [
  {
    name: "help",
    arguments: [{ usage: "[topic]", description: "A command, or a page of the guide." }],
    summary: "Print the help of a command, or a page of the guide.",
    examples: [["tenterhook help monitor", "the guide about the monitor"]],
    load: () => import("../commands/help.ts"),
  },
  {
    name: "hook",
    summary: "Decide one event of an agent: reads its payload on stdin and writes the reply to stdout.",
    details:
      "install writes this command into the agent's settings. The agent is recognised by its payload. If no decision is possible, a call that waits for it is refused.",
    examples: [["tenterhook hook < payload.json", "the reply that an agent would get"]],
    load: () => import("../commands/integrations/hook.ts"),
  },
  {
    name: "agent",
    summary: "Commands for a monitored agent: its hooks, and the settings that contain them.",
    examples: [
      [
        'claude --settings "$(tenterhook agent settings worker-1)"',
        "start Claude Code as an agent that is watched",
      ],
    ],
    commands: [
      {
        name: "hook",
        arguments: [
          {
            usage: "[event]",
            description: "pretooluse, stop or notify.",
            completes: [["pretooluse", "stop", "notify"]],
          },
          { usage: "[id]", description: "The agent's id." },
        ],
        summary: "Tell the monitor what an agent does; stop keeps it going until it signals that it is done.",
        details: "Reads a payload on stdin and notifies the monitor when the agent waits for a human.",
        examples: [
          ["tenterhook agent hook notify worker-1 < payload.json", "what its Notification hook calls"],
        ],
        load: async () => ({ run: (await import("../commands/monitor/agent.ts")).runAgentHook }),
      },
      {
        name: "settings",
        arguments: [{ usage: "<id>", description: "The agent's id." }],
        summary: "Print the path of a copy of the project's settings that contains these hooks.",
        examples: [["tenterhook agent settings worker-1", "for claude --settings"]],
        load: async () => ({ run: (await import("../commands/monitor/agent.ts")).printSettings }),
      },
    ],
  },
  {
    name: "emit",
    arguments: [
      {
        usage: "<event>",
        description: "agent:signal, agent:prompt, agent:error or agent:idle.",
        completes: [["agent:signal", "agent:prompt", "agent:error", "agent:idle"]],
      },
      {
        usage: "[value...]",
        description: "The value of the event.",
        completes: [["complete", "escalate", "continue"]],
      },
    ],
    summary: "Send the monitor an event about an agent.",
    options: [
      { flags: "--agent <id>", description: "The agent. Default: TENTERHOOK_AGENT_ID." },
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
    load: () => import("../commands/monitor/emit.ts"),
  },
  {
    name: "completion",
    arguments: [
      { usage: "<shell>", description: "bash, zsh or fish.", completes: [["bash", "zsh", "fish"]] },
      { usage: "[words...]", description: "For the scripts themselves: words -- LINE prints what fits." },
    ],
    takes_program: true,
    summary: "Print a script that completes commands, options, hooks, packs, agents and sessions.",
    examples: [
      ['eval "$(tenterhook completion bash)"', "in ~/.bashrc"],
      ['eval "$(tenterhook completion zsh)"', "in ~/.zshrc, after compinit"],
      ["tenterhook completion fish > ~/.config/fish/completions/tenterhook.fish", "once, for fish"],
    ],
    load: () => import("../commands/completion/completion.ts"),
  },
];
