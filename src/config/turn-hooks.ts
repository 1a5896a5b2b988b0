import { loadAgentHooks } from "./agent-hooks.ts";
import type { AgentHooks } from "./hook-toml.ts";

/**
 * The programs of `.agent/hook.toml` as they are now, and whether this user trusts them; `undefined` when there are
 * none.
 *
 * @throws ConfigError for a file that can't be read as it should be.
 */
export async function currentTurnHooks(
  workspace: string,
  signal?: AbortSignal,
): Promise<(AgentHooks & { readonly trusted: boolean }) | undefined> {
  const hooks = await loadAgentHooks(workspace, signal);
  if (hooks === undefined) return undefined;
  const { loadConfig } = await import("./load.ts");
  const { agent_hooks } = await loadConfig({ cwd: workspace, ...(signal === undefined ? {} : { signal }) });
  return agent_hooks === undefined ? { ...hooks, trusted: false } : { ...agent_hooks.hooks, trusted: true };
}
