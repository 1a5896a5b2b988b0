import type { CommandRow } from "../../command-line/command.ts";

/** The shell that commands are typed in. */
export const SHELL_COMMANDS: readonly CommandRow[] = [
  {
    name: "completion",
    arguments: [
      [
        "<shell...>",
        "bash, zsh or fish. Internal: completion words -- LINE prints the candidates for the last word.",
      ],
    ],
    completes: [[["bash", "zsh", "fish"]], []],
    summary: "Print a script that completes commands, options, hooks, packs, agents and sessions.",
    examples: [
      ['eval "$(tenterhook completion bash)"', "in ~/.bashrc"],
      ['eval "$(tenterhook completion zsh)"', "in ~/.zshrc, after compinit"],
      ["tenterhook completion fish > ~/.config/fish/completions/tenterhook.fish", "once, for fish"],
    ],
    load: () => import("./completion.ts"),
  },
];
