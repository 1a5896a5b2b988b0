import type { CommandRow } from "../../command-line/command.ts";

/** The monitor. */
export const MONITOR_COMMANDS: readonly CommandRow[] = [
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
    name: "waiting",
    summary: "Show which agents wait for a human: what they ask, and the command that answers.",
    details:
      "Agents of other programs wait here only if your configuration has monitor.on_prompt: answer; otherwise they ask in their own terminal. Suspended sessions of Tenterhook's own agent are shown too.",
    examples: [["tenterhook waiting", "who waits, and for what"]],
    load: () => import("./waiting.ts"),
  },
  {
    name: "emit",
    completes: [
      [["agent:signal", "agent:prompt", "agent:answer", "agent:error", "agent:idle"]],
      [["complete", "escalate", "continue"]],
      [],
    ],
    arguments: [
      ["<event>", "agent:signal, agent:prompt, agent:answer, agent:error or agent:idle."],
      ["[value...]", "The value of the event."],
    ],
    summary: "Send the monitor an event about an agent, or answer a prompt that it waits for.",
    options: [
      {
        flags: "--agent <id>",
        description: "The agent. Default: TENTERHOOK_AGENT_ID; for agent:answer, the only one that waits.",
      },
      { flags: "--type <type>", description: "The type of a prompt or an error." },
      {
        flags: "--prompt <id>",
        description:
          "agent:answer: the prompt to answer; the beginning of its id is enough. Default: the last one.",
      },
      {
        flags: "--session <id>",
        description:
          "The agent's session. Default: the session that this command runs in, or that the agent was last seen in.",
      },
      { flags: "-m, --message <text>", description: "A message." },
    ],
    examples: [
      ["tenterhook emit agent:signal --agent worker-1 complete", "the task is done"],
      ["tenterhook emit agent:answer --agent worker-1 Blue", "answer the question it is held at"],
    ],
    load: () => import("./emit.ts"),
  },
];
