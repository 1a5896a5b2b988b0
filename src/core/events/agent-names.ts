/** The agents whose own events are known by prefix (`claude:ConfigChange`). */
export const AGENT_NAMES = [
  "claude",
  "codex",
  "gemini",
  "cursor",
  "copilot",
  "crush",
  "antigravity",
  "qwen",
  "windsurf",
  "cline",
  "opencode",
  "kilo",
  "pi",
  "auggie",
] as const;

/** An event that a single agent has (`claude:ConfigChange`). */
export type AgentEventName = `${(typeof AGENT_NAMES)[number]}:${string}`;
