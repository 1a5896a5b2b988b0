import { agentFolderOf } from "../find/agent-folder.ts";
import type { AgentFile, AgentHooks } from "../find/hook-toml.ts";

/**
 * Reads the nearest `.agent/hook.toml` from a workspace up to the root of its repository; `undefined` when there is none.
 * Whether this user trusts its programs is not asked: `agent_hooks` of a loaded configuration has only those that are trusted.
 *
 * @throws ConfigError for TOML that does not parse, a key nobody reads, or a value that can't be.
 */
export async function loadAgentFile(workspace: string, signal?: AbortSignal): Promise<AgentFile | undefined> {
  const folder = agentFolderOf(workspace);
  if (folder === undefined) return undefined;
  const { readAgentFile } = await import("../find/hook-toml.ts");
  return readAgentFile(folder, signal);
}

/**
 * The programs of `.agent/hook.toml` as they are now, and whether this user trusts all of them as they are; `undefined`
 * when there are none. Nothing else of the configuration is read: it is asked for at each turn.
 *
 * @throws ConfigError for a file that can't be read as it should be.
 */
export async function currentTurnHooks(
  workspace: string,
  signal?: AbortSignal,
): Promise<(AgentHooks & { readonly folder: string; readonly trusted: boolean }) | undefined> {
  const agent = await loadAgentFile(workspace, signal);
  if (agent === undefined) return undefined;
  const { isTrustedAgent } = await import("./agent-trust.ts");
  return { ...agent.hooks, folder: agent.folder, trusted: isTrustedAgent(agent) };
}
