import { agentVariables } from "../../../../adapters/agents.ts";
import { monitorVariables } from "../../../../monitor/notify/variables.ts";

/** What we set for the programs of an agent, of a session and of a hook. */
const OURS: readonly string[] = [
  "TENTERHOOK_AGENT_ID",
  "TENTERHOOK_SLOT",
  "TENTERHOOK_WOKEN_BY",
  "TENTERHOOK_SESSION_ID",
  "TENTERHOOK_PROJECT_DIR",
  "TENTERHOOK_RUN",
  "TENTERHOOK_SESSION_RUN",
  "TENTERHOOK_MCP_SERVERS",
];

/**
 * The variables of the daemon and of all it starts: those of the user's shell, without what an agent sets for the
 * programs that it runs, as the daemon may be started by one. The secrets in `monitor.env` are left out too: only
 * notifications have them, and they read the file.
 */
export async function daemonEnvironment(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const secrets = Object.keys(monitorVariables(environment).variables);
  const removed = new Set([...OURS, ...(await agentVariables()), ...secrets]);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !removed.has(name)));
}
