/**
 * The agents that we know, each with a row in `src/adapters/agents.ts`. The events that only one of them has begin with its
 * name (`claude:ConfigChange`).
 */
export const AGENT_NAMES = [
  "claude",
  "codex",
  "gemini",
  "cursor",
  "copilot",
  "qwen",
  "cline",
  "opencode",
  "kilo",
  "pi",
  "auggie",
] as const;

export type AgentName = (typeof AGENT_NAMES)[number];

export function isAgentName(name: string): name is AgentName {
  const names: readonly string[] = AGENT_NAMES;
  return names.includes(name);
}

/** An event that a single agent has (`claude:ConfigChange`). */
export type AgentEventName = `${AgentName}:${string}`;
