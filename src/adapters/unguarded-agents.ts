/** An agent that Tenterhook knows and does not guard: nobody could run it with our hooks. */
export interface UnguardedAgent {
  readonly name: string;
  readonly title: string;
  /** The name of its program on the PATH. */
  readonly program: string;
  /** True when its program is an editor, in whose terminals its user works, too. */
  readonly isEditor?: true;
  /** Its folder in the home folder. */
  readonly folder: string;
  /** Variables that it sets for what it runs. */
  readonly variables: readonly string[];
}

export const UNGUARDED_AGENTS: readonly UnguardedAgent[] = [
  {
    name: "antigravity",
    title: "Antigravity CLI",
    program: "agy",
    folder: ".gemini/config",
    variables: ["ANTIGRAVITY_AGENT"],
  },
  {
    name: "crush",
    title: "Crush",
    program: "crush",
    folder: ".config/crush",
    variables: [
      "CRUSH",
      "AGENT",
      "CRUSH_CWD",
      "CRUSH_PROJECT_DIR",
      "CRUSH_SESSION_ID",
      "CRUSH_EVENT",
      "CRUSH_TOOL_NAME",
      "CRUSH_TOOL_INPUT_COMMAND",
      "CRUSH_TOOL_INPUT_FILE_PATH",
    ],
  },
  {
    name: "windsurf",
    title: "Windsurf",
    program: "windsurf",
    isEditor: true,
    folder: ".codeium/windsurf",
    variables: [],
  },
];

/** What people read about them. */
export function unguardedText({ title }: UnguardedAgent): string {
  return `${title} is on this machine and not guarded: nobody could run it with Tenterhook's hooks.`;
}
