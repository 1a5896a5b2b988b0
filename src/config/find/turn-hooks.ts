import { loadAgentHooks } from "./agent-hooks.ts";
import type { AgentHooks } from "./hook-toml.ts";

/**
 * The programs of `.agent/hook.toml` as they are now, and whether this user trusts all of them as they are; `undefined`
 * when there are none. Nothing else of the configuration is read: it is asked for at each turn.
 *
 * @throws ConfigError for a file that can't be read as it should be.
 */
export async function currentTurnHooks(
  workspace: string,
  signal?: AbortSignal,
): Promise<(AgentHooks & { readonly trusted: boolean }) | undefined> {
  const hooks = await loadAgentHooks(workspace, signal);
  if (hooks === undefined) return undefined;
  const { isTrustedAgent } = await import("../trust/agent-trust.ts");
  return { ...hooks, trusted: await isTrustedAgent(workspace, hooks) };
}
