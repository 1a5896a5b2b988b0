import type { CommandRow } from "../../command-line/command.ts";

/** The monitor. */
export const MONITOR_COMMANDS: readonly CommandRow[] = [
  {
    name: "agent",
    arguments: [
      ["<action>", "hook or settings."],
      ["[words...]", "hook: pretooluse, stop or notify, and the agent's id. settings: the id."],
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
