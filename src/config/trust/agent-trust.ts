import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { AgentHooks } from "../find/hook-toml.ts";
import { Inputs } from "../find/inputs.ts";
import { readTrust } from "./store.ts";
import { trustablesOf } from "./trustables.ts";
import { whyNot } from "./verdict.ts";

/** True when the user trusts every program of a workspace's `.agent/hook.toml` as it is. */
export async function isTrustedAgent(workspace: string, hooks: AgentHooks): Promise<boolean> {
  const cwd = await realpath(workspace);
  const file = join(cwd, ".agent", "hook.toml");
  const read = { cwd, root: cwd, folders: [], units: [], warnings: [], agent: { file, hooks } };
  const trustables = trustablesOf(read, new Inputs());
  const why = whyNot(trustables, new Map([[cwd, readTrust(cwd)]]));
  return Object.keys(hooks).every((name) => why(trustables.ofAgentHook(file, name)) === undefined);
}
