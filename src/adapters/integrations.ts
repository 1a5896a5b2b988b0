import type { AgentName } from "../core/events/agent-names.ts";
import { knownAgent } from "./agents.ts";
import type { Integration } from "./integration.ts";
import { UNGUARDED_AGENTS } from "./unguarded-agents.ts";

/** The integrations, which commands load. Apart from the adapters, so that `tenterhook hook` contains none of them. */
const INTEGRATIONS: Readonly<Record<AgentName, () => Promise<Integration>>> = {
  opencode: async () => (await import("./opencode/integration.ts")).opencodeIntegration,
  kilo: async () => (await import("./kilo/integration.ts")).kiloIntegration,
  pi: async () => (await import("./pi/integration.ts")).piIntegration,
  auggie: async () => (await import("./auggie/integration.ts")).auggieIntegration,
  cursor: async () => (await import("./cursor/integration.ts")).cursorIntegration,
  qwen: async () => (await import("./qwen/integration.ts")).qwenIntegration,
  gemini: async () => (await import("./gemini/integration.ts")).geminiIntegration,
  codex: async () => (await import("./codex/integration.ts")).codexIntegration,
  cline: async () => (await import("./cline/integration.ts")).clineIntegration,
  copilot: async () => (await import("./copilot/integration.ts")).copilotIntegration,
  claude: async () => (await import("./claude/integration.ts")).claudeIntegration,
};

/** The agent that is started as this program; `undefined` for any other program. */
export async function integrationOfProgram(program: string): Promise<Integration | undefined> {
  return (await allIntegrations()).find((one) => one.program === program);
}

/** The programs that are agents and nothing else: what they start is started by an agent. */
export async function agentPrograms(): Promise<readonly string[]> {
  const all = [...(await allIntegrations()), ...UNGUARDED_AGENTS];
  return all.flatMap(({ program, isEditor }) => (isEditor === true ? [] : program));
}

function allIntegrations(): Promise<readonly Integration[]> {
  return Promise.all(Object.values(INTEGRATIONS).map((load) => load()));
}

/** @throws TenterhookError `usage_error` with the nearest name. */
export async function integrationOf(name: string): Promise<Integration> {
  return INTEGRATIONS[knownAgent(name)]();
}
