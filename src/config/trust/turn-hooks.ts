import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { AgentFile, AgentHooks } from "../find/hook-toml.ts";

/**
 * Reads `.agent/hook.toml` of a workspace; `undefined` when the file does not exist. Whether this user trusts its programs is not
 * asked: `agent_hooks` of a loaded configuration has only those that are trusted.
 *
 * @throws ConfigError for TOML that does not parse, a key nobody reads, or a value that can't be.
 */
export async function loadAgentHooks(
  workspace: string,
  signal?: AbortSignal,
): Promise<AgentHooks | undefined> {
  return (await agentFileIn(workspace, signal))?.hooks;
}

async function agentFileIn(workspace: string, signal?: AbortSignal): Promise<AgentFile | undefined> {
  // Asked at every turn, and mostly in vain: waiting for the answer would cost twenty times as much.
  if (lstatSync(join(workspace, ".agent", "hook.toml"), { throwIfNoEntry: false }) === undefined)
    return undefined;
  const { readAgentFile } = await import("../find/hook-toml.ts");
  return readAgentFile(workspace, signal);
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
): Promise<(AgentHooks & { readonly trusted: boolean }) | undefined> {
  const agent = await agentFileIn(workspace, signal);
  if (agent === undefined) return undefined;
  const { isTrustedAgent } = await import("./agent-trust.ts");
  return { ...agent.hooks, trusted: await isTrustedAgent(workspace, agent) };
}
