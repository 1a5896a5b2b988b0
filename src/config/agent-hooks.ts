import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { AgentHooks } from "./hook-toml.ts";

/**
 * Reads `.agent/hook.toml` of a workspace; `undefined` when there is none. Whether this user trusts its programs is not
 * asked: `agent_hooks` of a loaded configuration has only those that are trusted.
 *
 * @throws ConfigError for TOML that does not parse, a key nobody reads, or a value that can't be.
 */
export async function loadAgentHooks(
  workspace: string,
  signal?: AbortSignal,
): Promise<AgentHooks | undefined> {
  const file = join(workspace, ".agent", "hook.toml");
  if ((await lstat(file).catch(() => undefined)) === undefined) return undefined;
  const { readAgentHooks } = await import("./hook-toml.ts");
  return readAgentHooks(file, signal);
}
